import { initSync, open } from './node.js';

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Gives the elements of SVG in a document of jsdom or happy-dom the functions that need a layout: `getBBox`,
 * `getBoundingClientRect`, and `getComputedTextLength`.
 *
 * An import of this module does it for `globalThis`, if that is such a window. Texts need fonts, so call
 * `install(window, { fonts })` for them.
 *
 * @param {object} window
 * @param {{ fonts?: readonly Uint8Array[] }} options
 */
export function install(window, { fonts = [] } = {}) {
    initSync({ text: fonts.length > 0 });
    const layouts = new Layouts(window, fonts);
    // In jsdom, most elements have no class of their own, such as `SVGGraphicsElement`.
    const { prototype } = window.SVGElement;
    const clientRect = prototype.getBoundingClientRect;
    const functions = {
        getBBox(options = {}) {
            return layouts.box(this, options) ?? rect(window, 0, 0, 0, 0);
        },
        getBoundingClientRect() {
            const root = outermost(this);
            // The place of a drawing in its page needs a layout of HTML.
            if (root === null || root === this) return clientRect.call(this);
            return layouts.clientBox(this, root) ?? rect(window, 0, 0, 0, 0);
        },
        getComputedTextLength() {
            return layouts.textLength(this);
        },
    };
    for (const [name, value] of Object.entries(functions)) {
        define(prototype, name, value);
        // The classes of happy-dom that have functions of their own would hide the new ones.
        for (const element of ['g', 'text'].map((name) => window.document.createElementNS(SVG, name))) {
            for (let known = element; known !== prototype; known = Object.getPrototypeOf(known)) {
                if (Object.hasOwn(known, name)) define(known, name, value);
            }
        }
    }
}

function define(prototype, name, value) {
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
}

/** The drawings of the `svg` elements of a document. */
class Layouts {
    /** For each outermost `svg` element, its text and its drawing. */
    #drawings = new WeakMap();

    constructor(window, fonts) {
        this.window = window;
        this.fonts = fonts;
        this.serializer = new window.XMLSerializer();
    }

    /** The box of an element in its user space. `null` if it has none, as if it is not displayed. */
    box(element, { fill = true, stroke = false, markers = false, clipped = false } = {}) {
        const root = outermost(element);
        if (root === null) return null;
        const box = this.#drawing(root).bbox({ id: pathOf(element, root) }, { fill, stroke, markers, clipped });
        return box && rect(this.window, box.x, box.y, box.width, box.height);
    }

    /** The box of an element in CSS pixels from the corner of its drawing. `null` if it has none. */
    clientBox(element, root) {
        const question = { id: pathOf(element, root), include: 'fill', space: 'scene' };
        const { rows: [row] } = this.#drawing(root).query(question);
        return row.box && rect(this.window, row.x, row.y, row.width, row.height);
    }

    /** The sum of the advances of the characters of an element. */
    textLength(element) {
        const root = outermost(element);
        if (root === null) return 0;
        const path = pathOf(element, root);
        if (!hasPlaces(element)) return this.#drawing(root).bbox({ id: path })?.width ?? 0;
        const copy = root.cloneNode(true);
        removePlaces(elementAt(copy, path));
        const drawing = open(this.#text(copy, root), { fonts: this.fonts });
        const box = drawing.bbox({ id: path });
        drawing.free();
        return box?.width ?? 0;
    }

    #drawing(root) {
        const text = this.#text(root, root);
        const known = this.#drawings.get(root);
        if (known?.text === text) return known.drawing;
        known?.drawing.free();
        const drawing = open(text, { fonts: this.fonts });
        this.#drawings.set(root, { text, drawing });
        return drawing;
    }

    /** The text of a drawing, or of a copy of it, with the styles of the document around it. */
    #text(copy, root) {
        const text = this.serializer.serializeToString(copy);
        return withStyles(text, stylesOutside(root), inherited(this.window, root));
    }
}

/** The outermost `svg` element around an element. */
function outermost(element) {
    let root = null;
    for (let around = element; around?.nodeType === 1; around = around.parentNode) {
        if (around.localName === 'svg') root = around;
    }
    return root;
}

/** The path of an element in its drawing, such as `/svg/g[2]/rect[1]`. */
function pathOf(element, root) {
    const steps = [];
    for (let node = element; node !== root; node = node.parentNode) {
        let count = 0;
        for (let sibling = node; sibling !== null; sibling = sibling.previousElementSibling) {
            if (sibling.localName === node.localName) count += 1;
        }
        steps.unshift(`/${node.localName}[${count}]`);
    }
    return `/svg${steps.join('')}`;
}

/** The element with such a path. */
function elementAt(root, path) {
    const steps = [...path.matchAll(/([^/]+)\[(\d+)\]/g)];
    return steps.reduce((parent, [, name, number]) => {
        const children = [...parent.children].filter(({ localName }) => localName === name);
        return children[number - 1];
    }, root);
}

/** The attributes that move single characters of a text. */
const PLACES = ['x', 'y', 'dx', 'dy', 'rotate', 'textLength'];

/** Whether the characters of an element are not in one line, so that its box is not as wide as they are together. */
function hasPlaces(element) {
    const isList = (place) => /[\s,]/.test(element.getAttribute(place)?.trim() ?? '');
    return (
        element.hasAttribute('textLength') ||
        PLACES.some(isList) ||
        [...element.querySelectorAll('*')].some((part) => PLACES.some((place) => part.hasAttribute(place)))
    );
}

function removePlaces(element) {
    for (const part of [element, ...element.querySelectorAll('*')]) {
        for (const place of PLACES) part.removeAttribute(place);
    }
}

/** The style sheets of the document around a drawing, which apply to it as well. */
function stylesOutside(root) {
    const styles = [...root.ownerDocument.querySelectorAll('style')].filter((style) => !root.contains(style));
    return styles.map(textOf).join('\n');
}

/** The text of a style sheet. Scripts such as emotion insert rules without a text. */
function textOf(style) {
    if (style.textContent.trim() !== '') return style.textContent;
    return [...(style.sheet?.cssRules ?? [])].map(({ cssText }) => cssText).join('\n');
}

/** The inherited properties that the boxes of texts depend on. */
const INHERITED = [
    'direction',
    'font-family',
    'font-size',
    'font-style',
    'font-weight',
    'letter-spacing',
    'word-spacing',
];

/** The properties that a drawing inherits from the elements of HTML around it, as attributes. */
function inherited(window, root) {
    const attributes = new Map();
    for (let around = root.parentElement; around; around = around.parentElement) {
        const style = window.getComputedStyle(around);
        for (const property of INHERITED) {
            const value = style.getPropertyValue(property);
            const isKnown = attributes.has(property) || root.hasAttribute(property);
            if (value !== '' && !isKnown) attributes.set(property, value);
        }
    }
    return [...attributes].map(([property, value]) => ` ${property}="${escaped(value)}"`).join('');
}

/** The text of a drawing with more attributes, and with one more style sheet, which comes first. */
function withStyles(text, styles, attributes) {
    const [start] = /^<svg(?:[^>"']|"[^"]*"|'[^']*')*>/.exec(text);
    const style = styles.trim() === '' ? '' : `<style xmlns="${SVG}">${escaped(styles)}</style>`;
    const isEmpty = start.endsWith('/>');
    const inside = start.slice('<svg'.length, isEmpty ? -2 : -1);
    return `<svg${attributes}${inside}>${style}${isEmpty ? '</svg>' : text.slice(start.length)}`;
}

function escaped(text) {
    const entities = { '&': '&amp;', '<': '&lt;', '"': '&quot;' };
    return text.replace(/[&<"]/g, (character) => entities[character]);
}

function rect(window, x, y, width, height) {
    const DOMRect = window.DOMRect ?? window.DOMRectReadOnly;
    return DOMRect ? new DOMRect(x, y, width, height) : { x, y, width, height };
}

if (typeof globalThis.SVGElement === 'function' && typeof globalThis.XMLSerializer === 'function') {
    install(globalThis);
}
