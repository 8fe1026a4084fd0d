// Runs the tests of a module of the suite, one by one, in the page.

globalThis.environmentVariable = (name) => globalThis.environment[name];

/** The message of the last panic. */
let panic = '';
globalThis.notePanic = (message) => { panic = message; };

/** Resumes `waitForBrowser`. */
let wake = null;
let isAwake = false;
globalThis.wakeUp = () => {
    isAwake = true;
    wake?.();
};
/** The number of waits between collections of garbage. */
const WAITS_PER_COLLECTION = 50;
let nWaits = 0;
/** Waits until something has called `wakeUp` since the last time. */
async function waitForBrowser() {
    // A buffer that is no longer used keeps its memory until its object is collected. The objects are small, so the
    // browser would not collect them before the memory is full.
    nWaits += 1;
    if (nWaits % WAITS_PER_COLLECTION === 0) {
        globalThis.gc();
    }
    if (!isAwake) {
        await new Promise((resolve) => { wake = resolve; });
    }
    [wake, isAwake] = [null, false];
}

/** The imports of a module, with a function that suspends the stack of WebAssembly. */
function withSuspension(imports) {
    for (const functions of Object.values(imports)) {
        for (const name of Object.keys(functions).filter((name) => name.includes('waitForBrowser'))) {
            functions[name] = new WebAssembly.Suspending(waitForBrowser);
        }
    }
    return imports;
}

/** The number of shaders with a planted fault. */
globalThis.nPlanted = 0;
const [from, to] = globalThis.fault;
const createShaderModule = GPUDevice.prototype.createShaderModule;
GPUDevice.prototype.createShaderModule = function (descriptor) {
    const isBroken = from !== undefined && descriptor.code.includes(from);
    globalThis.nPlanted += Number(isBroken);
    const code = isBroken ? descriptor.code.replaceAll(from, to) : descriptor.code;
    return createShaderModule.call(this, { ...descriptor, code });
};

const glue = await import('/suite.js');
const instantiate = WebAssembly.instantiate.bind(WebAssembly);
WebAssembly.instantiate = (module, imports) => instantiate(module, withSuspension(imports));
const module = await WebAssembly.compileStreaming(fetch('/suite_bg.wasm'));
const exports = await glue.default({ module_or_path: module });
const run = WebAssembly.promising(exports.runTest);

globalThis.adapter = async () => {
    const { vendor, architecture } = (await navigator.gpu.requestAdapter()).info;
    return `${vendor} ${architecture}`;
};
/** The names of the tests, and a part of the message of the panic of those that have to panic. */
globalThis.tests = () =>
    Array.from({ length: glue.nTests() }, (_, index) => ({ name: glue.testName(index), panic: glue.expectedPanic(index) }));
/** Runs a test. Returns why it fails, or null. A module that has panicked cannot be used any more. */
globalThis.runTest = async (index) => {
    try {
        await run(index);
        return null;
    } catch (error) {
        return panic || String(error?.stack ?? error);
    }
};
globalThis.isReady = true;
