// SPDX-License-Identifier: Apache-2.0 OR MIT
//
// The task `json_match` of `boxwood_bench measure --what json`, by CUB: the partner of each bracket
// of a JSON text.
//
//     nvcc -O3 -arch=sm_90 -std=c++17 --extended-lambda -o json json.cu
//     ./json FILE FAMILY [FILE FAMILY]... > json_cub.csv
//
// FILE is a text that `boxwood_bench text` has written, and FAMILY is the name in its rows.
//
// The method is that of cuJSON for the nesting structure (Vedadi Gargary, Safari Loaliyan, and Zhao,
// "CuJSON: A Highly Parallel JSON Parser for GPUs", ASPLOS 2026), written anew:
//
// 1. A scan computes the depth of each bracket. A begin and its end have the same depth.
// 2. A stable radix sort orders the indices of the brackets by depth.
// 3. In this order, each begin is followed by its end, so that neighbours are partners.
//
// cuJSON has depths of 8 bits, as the variant `cub_8_bits` has. Deeper texts get wrong partners,
// because depths that differ by a multiple of 256 are mixed. The variant `cub_32_bits` sorts by all
// bits of 32, and `cub_depth_bits` by as many bits as the deepest bracket needs, in keys of 8, 16, or
// 32 bits.
//
// The time begins when the brackets are in a buffer, one byte each. Finding them outside of strings,
// the iota that is sorted, and the maximum depth are not timed. All partners are compared with
// those of a sequential stack.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

#include <cub/cub.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "measure.cuh"

namespace {

constexpr unsigned BLOCK_SIZE = 256;

std::vector<char> read_file(const char* path) {
    std::FILE* file = std::fopen(path, "rb");
    if (!file) {
        std::fprintf(stderr, "cannot read %s\n", path);
        std::exit(1);
    }
    std::vector<char> text;
    std::vector<char> chunk(size_t{1} << 20);
    while (const size_t n = std::fread(chunk.data(), 1, chunk.size(), file)) {
        text.insert(text.end(), chunk.begin(), chunk.begin() + n);
    }
    std::fclose(file);
    return text;
}

// The brackets outside of strings: 1 for a begin, 0 for an end.
std::vector<uint8_t> brackets_of(const std::vector<char>& text) {
    std::vector<uint8_t> brackets;
    bool is_in_string = false;
    for (size_t i = 0; i < text.size(); i++) {
        const char c = text[i];
        if (is_in_string) {
            if (c == '\\') i++;
            if (c == '"') is_in_string = false;
        } else if (c == '"') {
            is_in_string = true;
        } else if (c == '{' || c == '[') {
            brackets.push_back(1);
        } else if (c == '}' || c == ']') {
            brackets.push_back(0);
        }
    }
    return brackets;
}

// The partners of the brackets, and the number of levels.
struct Matched {
    std::vector<uint32_t> partners;
    size_t n_levels = 0;
};

Matched matched(const std::vector<uint8_t>& brackets, const char* path) {
    Matched result;
    result.partners.resize(brackets.size());
    std::vector<uint32_t> stack;
    for (size_t i = 0; i < brackets.size(); i++) {
        if (brackets[i]) {
            stack.push_back(uint32_t(i));
            result.n_levels = std::max(result.n_levels, stack.size());
            continue;
        }
        if (stack.empty()) break;
        result.partners[i] = stack.back();
        result.partners[stack.back()] = uint32_t(i);
        stack.pop_back();
    }
    const size_t n_ends = std::count(brackets.begin(), brackets.end(), uint8_t{0});
    if (!stack.empty() || 2 * n_ends != brackets.size()) {
        std::fprintf(stderr, "%s: a bracket has no partner\n", path);
        std::exit(1);
    }
    return result;
}

// The difference between the depth of a bracket and that of the one before it. A begin after a begin
// is one level deeper, an end after an end one level less deep, and others are at the same depth.
template <typename Depth>
struct DepthStep {
    const uint8_t* brackets;
    __host__ __device__ Depth operator()(uint32_t i) const {
        if (i == 0 || brackets[i] != brackets[i - 1]) return Depth(0);
        return brackets[i] ? Depth(1) : Depth(-1);
    }
};

// Brackets 2 i and 2 i + 1 of the order are partners.
__global__ void pair_neighbours(const uint32_t* order, uint32_t* partners, uint32_t n_pairs) {
    const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n_pairs) return;
    const uint32_t begin = order[2 * i], end = order[2 * i + 1];
    partners[begin] = end;
    partners[end] = begin;
}

// The brackets of a text on the device, and the memory that all variants share.
struct Input {
    const char* family;
    size_t n;
    uint8_t* brackets;
    uint32_t *iota, *order, *partners;
};

// Measures the method with depths of this type, sorted by their lowest bits.
template <typename Depth>
void match(const Input& input, const char* variant, int n_bits, const std::vector<uint32_t>& expected) {
    const size_t n = input.n;
    Depth *depths = allocated<Depth>(n), *sorted = allocated<Depth>(n);
    const auto steps =
        thrust::make_transform_iterator(thrust::counting_iterator<uint32_t>(0), DepthStep<Depth>{input.brackets});
    const auto scan = with_storage([=](void* storage, size_t& size) {
        return cub::DeviceScan::InclusiveSum(storage, size, steps, depths, int(n));
    });
    const auto sort = with_storage([=](void* storage, size_t& size) {
        return cub::DeviceRadixSort::SortPairs(storage, size, depths, sorted, input.iota, input.order, int(n), 0,
                                               n_bits);
    });
    const uint32_t n_pairs = uint32_t(n / 2);
    const uint32_t n_blocks = (n_pairs + BLOCK_SIZE - 1) / BLOCK_SIZE;
    require(cudaMemset(input.partners, 0xff, n * sizeof(uint32_t)));
    const auto call = [&] {
        scan();
        sort();
        pair_neighbours<<<n_blocks, BLOCK_SIZE>>>(input.order, input.partners, n_pairs);
        require(cudaGetLastError());
    };
    measure("json_match", n, input.family, variant, call,
            [&] { return downloaded(input.partners, n) == expected; });
    require(cudaFree(depths));
    require(cudaFree(sorted));
}

// The number of bits of the largest depth, which is one less than the number of levels.
int bits_of_depth(size_t n_levels) {
    int n_bits = 1;
    while ((n_levels - 1) >> n_bits) n_bits++;
    return n_bits;
}

void match_file(const char* path, const char* family) {
    const std::vector<uint8_t> brackets = brackets_of(read_file(path));
    if (brackets.empty()) {
        std::fprintf(stderr, "%s has no brackets\n", path);
        return;
    }
    const Matched result = matched(brackets, path);
    const size_t n = brackets.size();
    std::vector<uint32_t> iota(n);
    std::iota(iota.begin(), iota.end(), 0u);
    const Input input{family, n, uploaded(brackets), uploaded(iota), allocated<uint32_t>(n), allocated<uint32_t>(n)};
    match<uint8_t>(input, "cub_8_bits", 8, result.partners);
    match<uint32_t>(input, "cub_32_bits", 32, result.partners);
    const int n_bits = bits_of_depth(result.n_levels);
    if (n_bits <= 8) {
        match<uint8_t>(input, "cub_depth_bits", n_bits, result.partners);
    } else if (n_bits <= 16) {
        match<uint16_t>(input, "cub_depth_bits", n_bits, result.partners);
    } else {
        match<uint32_t>(input, "cub_depth_bits", n_bits, result.partners);
    }
    require(cudaFree(input.brackets));
    for (uint32_t* words : {input.iota, input.order, input.partners}) require(cudaFree(words));
}

}  // namespace

int main(int n_arguments, char** arguments) {
    if (n_arguments < 3 || n_arguments % 2 == 0) {
        std::fprintf(stderr, "usage: json FILE FAMILY [FILE FAMILY]...\n");
        return 2;
    }
    print_header();
    for (int i = 1; i < n_arguments; i += 2) match_file(arguments[i], arguments[i + 1]);
}
