// The drawing and its boxes. They are in a worker, so that the page stays fluid while a large drawing is loaded, and so
// that the page can end the work on a drawing that takes too long.
import { init, open } from '@boxwood-rs/svg';

const OBJECT_PARTS = [['fill'], ['fill', 'stroke', 'markers'], ['fill', 'stroke', 'markers', 'clipped']];

/** The bundled font, which is fetched with the first text. */
let bundledFont = null;

/** The fonts for `open`. The same list is passed again, so that its fonts are read once. */
let fonts = [];

let isLoaded = false;
let hasText = false;
let drawing = null;

const METHODS = {
    /** Loads the module before the first drawing. */
    start: () => load(false),

    /** Sets the fonts that the user adds. The last one comes first, because the first one replaces missing fonts. */
    async setFonts(added) {
        await load(true);
        bundledFont ??= new Uint8Array(await (await fetched('NotoSans-Regular.ttf')).arrayBuffer());
        const all = [...added.toReversed(), bundledFont];
        // A font that cannot be read is an error here, and not in each drawing.
        open('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>', { fonts: all }).free();
        fonts = all;
    },

    async open({ bytes, needsText }) {
        drawing?.free();
        drawing = null;
        await load(needsText);
        if (needsText && fonts.length === 0) await METHODS.setFonts([]);
        drawing = open(bytes, { fonts: hasText ? fonts : [] });
        const { width, height, warnings, rows } = drawing.query();
        return { width, height, warnings, mayChange: drawing.mayChange, elements: elementsOf(rows) };
    },

    /** What is painted at a point, the top-most first, as paths. */
    at: ({ x, y }) => [...new Set(opened().at(x, y, { precise: true }).map(({ path }) => path))],

    /** The object boxes of all elements: what `getBBox` returns, in the space of the drawing. */
    objectBoxes: () => opened().boxes({ include: ['fill'] }).map(({ path, box }) => [path, box]),

    /** What the inspector shows about one element, in addition to its ink boxes. */
    details({ path }) {
        const drawing = opened();
        const objects = (space) => drawing.boxes({ id: path, include: OBJECT_PARTS, space }).map(({ box }) => box);
        return {
            explained: drawing.explain({ id: path })[0] ?? null,
            local: objects('local'),
            scene: objects('scene'),
            rows: drawing.boxes({ id: path }),
            user: drawing.boxes({ id: path, kinds: ['clipped', 'group'], unit: 'user' })[0]?.box ?? null,
        };
    },

    findings: () => ({ audit: opened().audit(), outside: opened().outside() }),

    crop({ padding, square, path }) {
        const target = path === undefined ? {} : { id: path };
        const drawing = opened();
        return {
            bytes: drawing.cropBytes({ padding, square, ...target }),
            ink: drawing.ink(target),
        };
    },

    query: () => opened().query(),
};

/** The drawing. There is none before the first one is loaded, and while another one is. */
function opened() {
    if (drawing === null) throw new Error('no drawing is open');
    return drawing;
}

self.addEventListener('message', async ({ data: { id, method, argument } }) => {
    try {
        self.postMessage({ id, result: await METHODS[method](argument) });
    } catch ({ message, line, column }) {
        self.postMessage({ id, error: { message, line, column } });
    }
});

/** The last module that is loaded, so that two questions do not load one each. */
let loading = Promise.resolve();

/** Loads the module, with text only if it is needed: it is almost twice as large then. */
function load(needsText) {
    loading = loading.catch(() => {}).then(() => loadNext(needsText));
    return loading;
}

async function loadNext(needsText) {
    if (isLoaded && (hasText || !needsText)) return;
    const file = needsText ? 'boxwood_text.wasm' : 'boxwood.wasm';
    await init({ text: needsText, wasm: await (await fetched(file)).arrayBuffer() });
    isLoaded = true;
    hasText ||= needsText;
}

/** A file beside the worker. */
async function fetched(name) {
    const response = await fetch(new URL(name, self.location.href));
    if (!response.ok) throw new Error(`cannot load ${name}: ${response.status} ${response.statusText}`);
    return response;
}

/** The elements in rows, of which each element has one or more. */
function elementsOf(rows) {
    const elements = new Map();
    for (const row of rows) {
        let element = elements.get(row.path);
        if (element === undefined) {
            element = {
                name: row.name,
                hasId: row.has_id,
                tag: row.element,
                path: row.path,
                line: row.line,
                column: row.column,
                className: row.class,
                order: row.order,
                reason: null,
                explanation: null,
                boxes: {},
            };
            elements.set(row.path, element);
        }
        if (row.kind !== null) element.boxes[row.kind] = row.box;
        element.reason ??= row.reason;
        element.explanation ??= row.explanation;
    }
    return [...elements.values()];
}
