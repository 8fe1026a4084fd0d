/** An error of Boxwood, with its place in the text if it has one. */
export class DrawingError extends Error {
    constructor({ message, line, column }) {
        super(message);
        this.line = line;
        this.column = column;
    }
}

/** The work was ended, because the user cancelled it or opened another drawing. */
export class Cancelled extends Error {}

/** The worker with the drawing. */
export class Engine {
    #worker = null;
    /** The questions without an answer yet, by their numbers. */
    #pending = new Map();
    #nQuestions = 0;
    /** The files of the fonts that the user added. */
    #fonts = [];
    /** Why the worker cannot work at all, or null. */
    #failure = null;

    constructor() {
        this.#start();
    }

    /** Asks the worker, by the name of one of its methods. */
    ask(method, argument) {
        if (this.#failure !== null) return Promise.reject(this.#failure);
        const id = (this.#nQuestions += 1);
        return new Promise((resolve, reject) => {
            this.#pending.set(id, { method, resolve, reject });
            this.#worker.postMessage({ id, method, argument });
        });
    }

    /** Whether a question of a method has no answer yet. */
    isBusy(method) {
        return [...this.#pending.values()].some((question) => question.method === method);
    }

    /** Adds a font. It is an error if it cannot be read. */
    async addFont(bytes) {
        const fonts = [...this.#fonts, bytes];
        await this.ask('setFonts', fonts);
        this.#fonts = fonts;
    }

    /** Ends what the worker does, and starts another one, which has no drawing. */
    restart() {
        this.#worker.terminate();
        for (const { reject } of this.#pending.values()) reject(new Cancelled('cancelled'));
        this.#pending.clear();
        this.#start();
    }

    #start() {
        this.#failure = null;
        this.#worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
        this.#worker.addEventListener('message', ({ data }) => this.#answer(data));
        this.#worker.addEventListener('error', (event) => this.#fail(event));
        // The module is there before the first drawing. An error of it is shown when a drawing needs it.
        this.ask('start').catch(() => {});
        if (this.#fonts.length > 0) this.ask('setFonts', this.#fonts).catch(() => {});
    }

    #answer({ id, result, error }) {
        const question = this.#pending.get(id);
        this.#pending.delete(id);
        if (error) question?.reject(new DrawingError(error));
        else question?.resolve(result);
    }

    #fail(event) {
        this.#failure = new DrawingError({ message: event.message || 'cannot load worker.js' });
        for (const { reject } of this.#pending.values()) reject(this.#failure);
        this.#pending.clear();
    }
}
