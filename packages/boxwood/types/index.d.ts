/** How the WebAssembly module is loaded. */
export interface InitOptions {
    /** Whether texts have boxes, for which `open` needs fonts. The module is almost twice as large then. */
    text?: boolean;
    /** The module, if it is not beside the package: its bytes, or in a browser also its address. */
    wasm?: BufferSource | WebAssembly.Module | URL | string;
    /** The largest memory of the module in bytes. 1 GiB by default. */
    maxMemory?: number;
}

/**
 * Loads the WebAssembly module. A second call changes only what its options name: it keeps a module with texts and
 * `maxMemory`, and compiles another module if it has `wasm`.
 */
export function init(options?: InitOptions): Promise<void>;

/** Loads the WebAssembly module at once. In a browser, `wasm` must be its bytes or the compiled module. */
export function initSync(options?: InitOptions): void;

/** How a drawing is loaded. */
export interface OpenOptions {
    /**
     * The files of fonts: TrueType, OpenType, or WOFF. The first one replaces every font that is missing. Without one, a
     * text has no box, and `warnings` says so.
     *
     * Pass the same array again for other drawings: the fonts in it are read once.
     */
    fonts?: readonly Uint8Array[];
    /**
     * Whether the drawing is clipped to its viewport, as in a browser. True by default. If it is false, what sticks out of
     * the viewBox counts for boxes and for crops.
     */
    clipToViewport?: boolean;
}

/**
 * Loads a drawing: SVG as a string, or the bytes of an SVG or SVGZ file.
 *
 * Images in other files are left out, because the module has no access to files or to a network.
 *
 * @throws {BoxwoodError} The drawing is not SVG, or exceeds a limit.
 */
export function open(svg: string | Uint8Array | ArrayBuffer, options?: OpenOptions): Drawing;

/** Why a drawing cannot be loaded, or a question cannot be answered. The text is that of the command `boxwood`. */
export class BoxwoodError extends Error {
    /** The line in the text of the drawing, starting at 1, if the error has a place. */
    readonly line?: number;
    /** The column in the line, in characters, starting at 1. */
    readonly column?: number;
}

/** A rectangle. */
export interface Rect {
    x: number;
    y: number;
    width: number;
    height: number;
}

/** Elements by their ids, paths, and CSS selectors. */
export interface Elements {
    /** Ids, or paths such as `/svg/g[2]/rect[1]`. */
    id?: string | readonly string[];
    /** CSS selectors. */
    select?: string | readonly string[];
}

/** A CSS selector, a path that begins with `/`, or elements by their ids, paths, and selectors. */
export type Target = string | Elements;

/** A kind of box. */
export type InkKind = 'leaf' | 'clipped' | 'clip' | 'group';

/** A part of an object box. `clipped` clips the other parts. */
export type Part = 'fill' | 'stroke' | 'markers' | 'clipped';

/** A question about boxes. */
export interface BoxesQuestion extends Elements {
    /** Kinds of ink box. All of them by default. */
    kinds?: InkKind | readonly InkKind[];
    /** Parts of object boxes, instead of ink boxes. A list of lists asks for several boxes of each element. */
    include?: Part | readonly Part[] | readonly (readonly Part[])[];
    /** The space: of the element, of the drawing at 100 % (the default), or pixels at `zoom`. */
    space?: 'local' | 'scene' | 'device';
    /** Pixels per CSS pixel in the space `device`. */
    zoom?: number;
    /** The unit of the numbers. CSS pixels by default. */
    unit?: 'px' | 'user' | 'mm';
    /** Only what is at this point, the top-most first. */
    at?: readonly [number, number];
    /** Only what overlaps this rectangle: x, y, width, height. */
    within?: readonly [number, number, number, number];
    /** With `at`, only what is painted at the point. */
    precise?: boolean;
}

/** One box of one element, as `boxwood query --format json` prints it. */
export interface Row {
    name: string;
    has_id: boolean;
    element: string;
    path: string;
    line: number;
    column: number;
    class: string;
    kind: InkKind | 'object' | null;
    include: Part[];
    order: number;
    parent: string | null;
    /** The edges x0, y0, x1, y1. Null without a box, and `plane` for one without bounds. */
    box: [number, number, number, number] | 'plane' | null;
    /** Why there is no box, in one word. */
    reason: string | null;
    x: number | 'plane' | null;
    y: number | 'plane' | null;
    width: number | 'plane' | null;
    height: number | 'plane' | null;
    x0: number | 'plane' | null;
    y0: number | 'plane' | null;
    x1: number | 'plane' | null;
    y1: number | 'plane' | null;
    /** Why there is no box, as a part of a sentence. */
    explanation: string | null;
    /** With `at` and `within`, the clips around the element, the innermost first. */
    clips?: Clip[];
}

/** A clip around an element. */
export interface Clip {
    effect: string;
    id: string | null;
    of: string;
    line: number;
    column: number;
}

/** Something that is not bounded as SVG prescribes. */
export interface Warning {
    message: string;
    count: number;
    first: string;
}

/** The boxes of a drawing, as `boxwood query --format json` prints those of a file. */
export interface Answer {
    schema: number;
    vocabulary: 'ink' | 'object';
    space: string;
    unit: string;
    width: number;
    height: number;
    warnings: Warning[];
    rows: Row[];
}

/** An element, and what is left of it, as `boxwood explain --format json` prints it. */
export interface Explained {
    name: string;
    element: string;
    path: string;
    line: number;
    column: number;
    class: string;
    parts: ExplainedPart[];
    reason: string | null;
    explanation: string | null;
}

/** A part of an explained element. */
export interface ExplainedPart {
    part: string;
    leaves: number;
    filter: string | null;
    box: Row['box'];
    area: number;
    steps: ExplainedStep[];
    left: Row['box'];
    left_area: number;
    hidden: { why: string; by: string | null } | null;
}

/** An effect around an element, and what it leaves. */
export interface ExplainedStep {
    effect: string;
    id: string | null;
    of: string;
    line: number;
    column: number;
    opacity: number;
    blends: boolean;
    clip_box: Row['box'];
    left: Row['box'];
    left_area: number;
    cut_area: number;
}

/** A kind of finding. */
export type FindingKind =
    | 'empty'
    | 'off-canvas'
    | 'clipped-away'
    | 'covered'
    | 'mostly-outside'
    | 'needless-clip'
    | 'needless-group'
    | 'sticks-out';

/** What is wasted, or sticks out, as `boxwood audit --format json` prints it. */
export interface Finding {
    kind: FindingKind;
    name: string;
    element: string;
    path: string;
    line: number;
    column: number;
    explanation: string;
    elements: number;
    area: number;
    /** How far the element sticks out beyond each edge, in CSS pixels. */
    outside: { left: number; top: number; right: number; bottom: number } | null;
}

/** How a drawing is cropped. Without elements, it is cropped to everything that is painted. */
export interface CropOptions extends Elements {
    /** The space on each side: a number of CSS pixels, or a text with the unit `px`, `user`, or `mm`. */
    padding?: number | string;
    /** Whether the canvas becomes square, with the contents in the middle. */
    square?: boolean;
}

/** A loaded drawing. */
export class Drawing {
    private constructor();
    /** The width in CSS pixels. */
    readonly width: number;
    /** The height in CSS pixels. */
    readonly height: number;
    /** What is not bounded as SVG prescribes, such as a text without a font. */
    readonly warnings: Warning[];
    /** What may change the drawing after it is loaded, such as scripts. The answers are for the drawing as it is loaded. */
    readonly mayChange: string[];
    /**
     * What `getBBox` of SVG 2 returns in a browser for the first element that has a box: in the user space of the element,
     * the fill by default. Null if no element has a box, or if no part is chosen.
     *
     * @throws {BoxwoodError} No element matches.
     */
    bbox(target: Target, parts?: { fill?: boolean; stroke?: boolean; markers?: boolean; clipped?: boolean }): Rect | null;
    /**
     * The box of what elements and everything inside of them paint, inside of the boxes of all clips and masks. It is never
     * too small, and larger than the paint if a clip is not an axis-aligned rectangle. Null if that is nothing.
     */
    ink(target?: Target): Rect | null;
    /** The boxes of elements in document order, and then those of elements that are not drawn. */
    boxes(question?: BoxesQuestion): Row[];
    /** The boxes of elements, with the size and the warnings of the drawing. */
    query(question?: BoxesQuestion): Answer;
    /** What is at a point, the top-most first, with the clips around it. */
    at(x: number, y: number, question?: Pick<BoxesQuestion, 'unit' | 'precise' | keyof Elements>): Row[];
    /** What overlaps a rectangle, the top-most first, with the clips around it. */
    within(x: number, y: number, width: number, height: number, question?: Pick<BoxesQuestion, 'unit' | keyof Elements>): Row[];
    /** What each effect around elements leaves of their boxes, and what else hides them. */
    explain(target: Target): Explained[];
    /** What is wasted: elements that nobody sees, and clips and groups without an effect. */
    audit(options?: { kinds?: FindingKind | readonly FindingKind[] }): Finding[];
    /** What sticks out of the viewBox of the root, or of its canvas, and by how much. */
    outside(options?: { of?: 'viewBox' | 'canvas' }): Finding[];
    /** The text of the drawing, with a viewBox around what is painted, and the width and height for it. */
    crop(options?: CropOptions): string;
    /**
     * The same in the encoding of the drawing. Null if the drawing is cropped already.
     *
     * @throws {BoxwoodError} The encoding is neither UTF-8 nor UTF-16.
     */
    cropBytes(options?: CropOptions): Uint8Array | null;
    /** Frees the memory of the drawing. `using` calls it too. */
    free(): void;
    [Symbol.dispose](): void;
}
