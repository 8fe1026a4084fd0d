import { BoxwoodError } from './errors.js';
import { checkKeys, namedWords, QUESTION, wantedWords, wordsOf } from './questions.js';

/** The mark of UTF-8 at the start of a text. It takes precedence over the encoding that the text declares. */
const BYTE_ORDER_MARK = '\ufeff';

/** A loaded drawing. `open` creates it. types/index.d.ts describes its members. */
export class Drawing {
    #engine;
    #bytes;
    #options;
    /** The instance that the drawing is loaded in. */
    #instance = null;
    /** The encoding of the text, if the module does not know it. */
    #encoding;
    #loaded = null;
    #summary = null;

    /**
     * @param {import('./engine.js').Engine} engine
     * @param {string | Uint8Array | ArrayBuffer} svg
     * @param {{ fonts?: readonly Uint8Array[], clipToViewport?: boolean }} options
     */
    constructor(engine, svg, options = {}) {
        checkKeys('open', options, ['fonts', 'clipToViewport']);
        const { fonts = NO_FONTS } = options;
        if (!Array.isArray(fonts) || !fonts.every((file) => ArrayBuffer.isView(file))) {
            throw new BoxwoodError('open: fonts must be a list of Uint8Arrays');
        }
        this.#engine = engine;
        this.#bytes = bytesOf(svg);
        this.#options = options;
        this.#run(() => {});
    }

    get width() {
        return this.#facts()[0];
    }

    get height() {
        return this.#facts()[1];
    }

    get warnings() {
        return this.#facts()[2];
    }

    get mayChange() {
        return this.#facts()[3];
    }

    bbox(target, parts = {}) {
        checkKeys('bbox', parts, ['fill', 'stroke', 'markers', 'clipped']);
        const { fill = true, ...others } = parts;
        const included = Object.entries({ fill, ...others }).filter(([, isIncluded]) => isIncluded);
        const include = included.map(([part]) => part);
        const named = namedWords('bbox', target);
        // `clipped` clips the other parts.
        if (include.every((part) => part === 'clipped')) return null;
        const { rows } = this.#answer('boxes', [...named, ...wordsOf({ include, space: 'local' })]);
        const row = rows.find((row) => row.box !== null);
        return row ? rectOf(row.box) : null;
    }

    ink(target) {
        const edges = this.#run((loaded) => loaded.ink(wantedWords(target)));
        return edges ? rectOf(edges) : null;
    }

    boxes(question = {}) {
        return this.query(question).rows;
    }

    query(options = {}) {
        checkKeys('a question', options, ['id', 'select', ...QUESTION]);
        const { id, select, ...question } = options;
        return this.#answer('boxes', [...wantedWords({ id, select }), ...wordsOf(question)]);
    }

    at(x, y, question = {}) {
        return this.boxes({ ...question, at: [x, y] });
    }

    within(x, y, width, height, question = {}) {
        return this.boxes({ ...question, within: [x, y, width, height] });
    }

    explain(target) {
        return this.#answer('explain', namedWords('explain', target));
    }

    audit(options = {}) {
        checkKeys('audit', options, ['kinds']);
        const { kinds = [] } = options;
        return this.#answer('findings', wordsOf({ kinds }));
    }

    outside(options = {}) {
        checkKeys('outside', options, ['of']);
        const { of = 'viewBox' } = options;
        if (of !== 'viewBox' && of !== 'canvas') {
            throw new BoxwoodError(`outside: \`${of}\` is neither \`viewBox\` nor \`canvas\``);
        }
        const kinds = wordsOf({ kinds: 'sticks-out' });
        return this.#answer('findings', of === 'viewBox' ? [...kinds, 'viewBox', ''] : kinds);
    }

    crop(options) {
        return decoded(this.#cropped(options) ?? this.#run((loaded) => loaded.text));
    }

    cropBytes(options) {
        const cropped = this.#cropped(options);
        if (cropped !== null && this.#encoding !== undefined) {
            throw new BoxwoodError(`crop: cannot write the encoding ${this.#encoding}: save the file as UTF-8`);
        }
        return cropped;
    }

    /** The bytes of the cropped text. Null if it is cropped already. */
    #cropped(options = {}) {
        checkKeys('crop', options, ['padding', 'square', 'id', 'select']);
        const { padding, square = false, id, select } = options;
        const words = wantedWords({ id, select });
        if (padding !== undefined) words.push('padding', String(padding));
        if (square) words.push('square', '');
        return this.#run((loaded) => loaded.crop(words)) ?? null;
    }

    free() {
        if (this.#instance !== null && this.#instance === this.#engine.instance) {
            this.#loaded.free();
        }
        this.#instance = this.#loaded = this.#bytes = null;
    }

    [Symbol.dispose ?? Symbol.for('Symbol.dispose')]() {
        this.free();
    }

    #facts() {
        this.#summary ??= JSON.parse(this.#run((loaded) => loaded.summary()));
        return this.#summary;
    }

    #answer(method, words) {
        return JSON.parse(this.#run((loaded) => loaded[method](words)));
    }

    /** Calls a function with the drawing in the current instance, where it is loaded if it is not there yet. */
    #run(work) {
        if (this.#bytes === null) throw new BoxwoodError('the drawing is used after free()');
        const instance = this.#engine.current();
        return this.#engine.call(instance, () => {
            if (this.#instance !== instance) {
                this.#load(instance);
            }
            return work(this.#loaded);
        });
    }

    #load(instance) {
        const { glue } = instance;
        const { fonts = NO_FONTS, clipToViewport = true } = this.#options;
        const text = glue.decompressed(this.#bytes);
        this.#encoding = glue.otherEncoding(text);
        const unicode = this.#encoding === undefined ? text : bytesOf(textIn(this.#encoding, text));
        this.#loaded = new glue.LoadedDrawing(unicode, instance.fontList(fonts), clipToViewport);
        this.#instance = instance;
    }
}

/** One list for all drawings without fonts, because an instance keeps what it knows of a list. */
const NO_FONTS = [];

/** The text in an encoding that the module does not know. */
function textIn(encoding, bytes) {
    try {
        return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
        throw new Error(`the text is not in the encoding ${encoding}: save the file as UTF-8`);
    }
}

/** The text of a drawing as a string, whatever its encoding is. */
function decoded(bytes) {
    const isWide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
    const wide = bytes[0] === 0xff ? 'utf-16le' : 'utf-16be';
    return new TextDecoder(isWide ? wide : 'utf-8').decode(bytes);
}

/** The bytes of a drawing. A string has no encoding, so a mark replaces the one that it declares. */
function bytesOf(svg) {
    if (typeof svg === 'string') return new TextEncoder().encode(svg.startsWith('<?xml') ? BYTE_ORDER_MARK + svg : svg);
    // Not by `instanceof`: test environments such as Jest's have classes of their own.
    if (ArrayBuffer.isView(svg)) return new Uint8Array(svg.buffer, svg.byteOffset, svg.byteLength);
    if (Object.prototype.toString.call(svg) === '[object ArrayBuffer]') return new Uint8Array(svg);
    throw new BoxwoodError('open: the drawing must be a string, a Uint8Array, or an ArrayBuffer');
}

function rectOf([x0, y0, x1, y1]) {
    return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
}
