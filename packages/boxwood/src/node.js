import { readFileSync } from 'node:fs';

// packages/build resolves these to the functions of wasm-bindgen, and puts this file beside the modules, in dist.
import * as glue from 'boxwood-glue';
import * as textGlue from 'boxwood-glue-text';
import { initOptions, isReady, use } from './api.js';

export { BoxwoodError, Drawing, open } from './api.js';

export async function init(options) {
    initSync(options);
}

export function initSync(given) {
    const options = initOptions(given);
    if (isReady(options)) return;
    const file = options.text ? './boxwood_text.wasm' : './boxwood.wasm';
    const wasm = options.wasm ?? readFileSync(new URL(file, import.meta.url));
    const module = wasm instanceof WebAssembly.Module ? wasm : new WebAssembly.Module(wasm);
    use(options.text ? textGlue : glue, module, options);
}
