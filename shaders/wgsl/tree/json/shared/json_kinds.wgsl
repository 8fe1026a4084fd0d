// SPDX-License-Identifier: Apache-2.0 OR MIT OR Unlicense
// provides: KIND_ARRAY, KIND_ARRAY_END, KIND_FALSE, KIND_KEY, KIND_NULL, KIND_NUMBER, KIND_OBJECT
// provides: KIND_OBJECT_END, KIND_STRING, KIND_TRUE

// What a row is, with the numbers of `boxwood_cpu::specification::tree::JsonKind`.

const KIND_OBJECT = 0u;
const KIND_ARRAY = 1u;
const KIND_OBJECT_END = 2u;
const KIND_ARRAY_END = 3u;
const KIND_KEY = 4u;
const KIND_STRING = 5u;
const KIND_NUMBER = 6u;
const KIND_TRUE = 7u;
const KIND_FALSE = 8u;
const KIND_NULL = 9u;
