import { Drawing } from './drawing.js';
import { Engine } from './engine.js';
import { BoxwoodError } from './errors.js';
import { checkKeys } from './questions.js';

export { BoxwoodError, Drawing };

/** The largest memory of an instance if `init` gets no other one: 1 GiB. */
const MAX_MEMORY = 2 ** 30;

/** The largest memory that a module can have: 4 GiB. */
const ADDRESSABLE = 2 ** 32;

/** The engine that `open` uses. */
let engine = null;

export function open(svg, options) {
    if (engine === null) throw new BoxwoodError('the module is not loaded: call `await init()` first');
    return new Drawing(engine, svg, options);
}

/**
 * The options of `init`. Without `maxMemory`, the memory stays as large as it may be. A module with texts stays as well,
 * because it serves for drawings without texts too.
 */
export function initOptions(options = {}) {
    checkKeys('init', options, ['text', 'wasm', 'maxMemory']);
    const { text = false, wasm, maxMemory = engine?.maxMemory ?? MAX_MEMORY } = options;
    if (typeof maxMemory !== 'number' || !(maxMemory > 0 && maxMemory <= ADDRESSABLE)) {
        throw new BoxwoodError(`init: maxMemory must be a number of bytes, at most ${ADDRESSABLE}`);
    }
    const keepsText = wasm === undefined && (engine?.hasText ?? false);
    return { text: text || keepsText, wasm, maxMemory };
}

/** Whether `open` has an engine for these options already. */
export function isReady({ text, wasm, maxMemory }) {
    return engine !== null && wasm === undefined && engine.hasText === text && engine.maxMemory === maxMemory;
}

/** Makes `open` use a compiled module. Drawings that are open keep theirs. */
export function use(glue, module, options) {
    engine = new Engine(glue, module, options);
}
