// packages/build resolves these to the functions of wasm-bindgen, and puts this file beside the modules, in dist.
import * as glue from 'boxwood-glue';
import * as textGlue from 'boxwood-glue-text';
import { initOptions, isReady, use } from './api.js';

export { BoxwoodError, Drawing, open } from './api.js';

/** The last call of `init`, so that a second one does not start before the first one has ended. */
let last = Promise.resolve();

export function init(given) {
    last = last.catch(() => {}).then(() => load(given));
    return last;
}

async function load(given) {
    const options = initOptions(given);
    if (isReady(options)) return;
    // A bundler finds these files by the form `new URL(…, import.meta.url)`.
    const wasm =
        options.wasm ??
        (options.text
            ? new URL('./boxwood_text.wasm', import.meta.url)
            : new URL('./boxwood.wasm', import.meta.url));
    start(options, await compiled(wasm));
}

export function initSync(given) {
    const options = initOptions(given);
    if (isReady(options)) return;
    if (options.wasm === undefined) throw new TypeError('initSync needs the bytes of the module: { wasm }');
    start(options, options.wasm instanceof WebAssembly.Module ? options.wasm : new WebAssembly.Module(options.wasm));
}

function start(options, module) {
    use(options.text ? textGlue : glue, module, options);
}

/** The module in bytes, or at an address. A server may give it any type, so it is not compiled while it arrives. */
async function compiled(wasm) {
    if (wasm instanceof WebAssembly.Module) return wasm;
    if (ArrayBuffer.isView(wasm) || wasm instanceof ArrayBuffer) return WebAssembly.compile(wasm);
    const response = await fetch(wasm);
    if (!response.ok) throw new Error(`cannot load ${response.url}: ${response.status} ${response.statusText}`);
    return WebAssembly.compile(await response.arrayBuffer());
}
