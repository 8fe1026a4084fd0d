import { Drawing } from './drawing.js';
import { Engine } from './engine.js';
import { BoxwoodError } from './errors.js';
import { checkKeys } from './questions.js';

export { BoxwoodError, Drawing };

/** The largest memory of an instance if `init` gets no other one: 1 GiB. */
const MAX_MEMORY = 2 ** 30;

/** The engine that `open` uses. */
let engine = null;

export function open(svg, options) {
    if (engine === null) throw new BoxwoodError('the module is not loaded: call `await init()` first');
    return new Drawing(engine, svg, options);
}

/** The options of `init`, with defaults. */
export function initOptions(options = {}) {
    checkKeys('init', options, ['text', 'wasm', 'maxMemory']);
    return { text: false, maxMemory: MAX_MEMORY, ...options };
}

/** Whether `open` has an engine for these options already. A module with texts serves for drawings without them too. */
export function isReady({ text, wasm, maxMemory }) {
    return engine !== null && wasm === undefined && (engine.hasText || !text) && engine.maxMemory === maxMemory;
}

/** Makes `open` use a compiled module. Drawings that are open keep theirs. */
export function use(glue, module, options) {
    engine = new Engine(glue, module, options);
}
