import { BoxwoodError } from './errors.js';

/** The bytes of a page of memory. */
const PAGE = 65536;

const MEBIBYTE = 2 ** 20;

/**
 * The WebAssembly module, and its current instance.
 *
 * A drawing can end an instance: a crash of the loader, a stack that is too deep, or too little memory is a trap. Then
 * the next call gets a new instance with a memory of its own, so that one drawing never breaks another one. A drawing
 * of the old instance is loaded again when it is used.
 */
export class Engine {
    /** @type {Instance | null} */
    instance = null;

    /**
     * @param {{ createGlue: (registry: typeof FinalizationRegistry) => object, initialPages: number }} glue `createGlue`
     *     creates the functions of wasm-bindgen for one instance. `initialPages` is the initial size of its memory.
     * @param {WebAssembly.Module} module
     * @param {{ text: boolean, maxMemory: number }} options Whether it has texts, and the largest memory of an instance
     *     in bytes.
     */
    constructor(glue, module, { text, maxMemory }) {
        this.glue = glue;
        this.module = module;
        this.hasText = text;
        this.maxMemory = maxMemory;
        const least = PAGE * glue.initialPages;
        if (maxMemory < least) throw new BoxwoodError(`init: maxMemory must be at least ${least} bytes, and more for drawings`);
    }

    /** The current instance. */
    current() {
        this.instance ??= new Instance(this);
        return this.instance;
    }

    /**
     * Calls into an instance. Every exception becomes a {@link BoxwoodError}, and a trap ends the instance.
     *
     * @template T
     * @param {Instance} instance
     * @param {() => T} work
     * @returns {T}
     */
    call(instance, work) {
        try {
            return work();
        } catch (error) {
            if (error instanceof BoxwoodError) throw error;
            // wasm-bindgen throws a plain `Error` for an error of Rust. Everything else is a trap.
            if (error instanceof Error && error.constructor === Error) throw new BoxwoodError(error.message);
            instance.isLive = false;
            if (this.instance === instance) this.instance = null;
            throw new BoxwoodError(instance.trapMessage(error));
        }
    }
}

/** An instance of the module. */
class Instance {
    /** Whether no trap has ended it. */
    isLive = true;
    /** The font lists of the instance, by the list of files. */
    #fontLists = new WeakMap();

    /** @param {Engine} engine */
    constructor({ glue: { createGlue, initialPages }, module, maxMemory }) {
        // wasm-bindgen frees objects that were garbage-collected. After a trap, that would be another trap.
        const whileLive = (free) => (held) => this.isLive && free(held);
        class Registry extends FinalizationRegistry {
            constructor(free) {
                super(whileLive(free));
            }
        }
        this.glue = createGlue(Registry);
        this.maxPages = Math.floor(maxMemory / PAGE);
        this.memory = new WebAssembly.Memory({ initial: initialPages, maximum: this.maxPages });
        this.glue.initSync({ module, memory: this.memory });
    }

    /** The fonts in a list of files, which are read once. */
    fontList(files) {
        let fonts = this.#fontLists.get(files);
        if (fonts === undefined) {
            fonts = new this.glue.FontList();
            for (const file of files) fonts.add(file);
            fonts.load();
            this.#fontLists.set(files, fonts);
        }
        return fonts;
    }

    /** What is known of a trap. */
    trapMessage(error) {
        // V8 and WebKit throw a RangeError if the stack is full, and Gecko an InternalError.
        if (error?.name === 'RangeError' || error?.name === 'InternalError') {
            return 'the drawing is nested too deeply for the stack of this JavaScript engine: flatten it';
        }
        const [used, all] = [this.memory.buffer.byteLength, PAGE * this.maxPages].map((bytes) => Math.ceil(bytes / MEBIBYTE));
        return `the drawing needs more memory than \`maxMemory\` of init allows, or crashed the loader (it used ${used} of ${all} MiB)`;
    }
}
