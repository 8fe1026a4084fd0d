import { initSync, open } from './node.js';
import { checkKeys } from './questions.js';

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
export function install(window, options = {}) {
    if (typeof window?.SVGElement !== 'function') throw new TypeError('install: pass the window of jsdom or happy-dom');
    checkKeys('install', options, ['fonts']);
    const { fonts = [] } = options;
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
        if (isInOneLine(element)) return this.#drawing(root).bbox({ id: path })?.width ?? 0;
        const copy = root.cloneNode(true);
        const straight = putInOneLine(elementAt(copy, path));
        const drawing = open(this.#text(copy, root), { fonts: this.fonts });
        const box = drawing.bbox({ id: pathOf(straight, copy) });
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
        const styles = stylesOutside(root).trim();
        const style = styles === '' ? '' : `<style>${escaped(styles)}</style>`;
        return textOfElement(copy, inherited(this.window, root), style);
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

/** The attributes that move or turn the characters of a text. */
const PLACES = ['x', 'y', 'dx', 'dy', 'rotate', 'textLength'];

/** The whole text that an element is in, or the element itself. */
function textAround(element) {
    let text = element;
    for (let around = element; around?.nodeType === 1; around = around.parentNode) {
        if (around.localName === 'text') text = around;
    }
    return text;
}

/** Whether the box of an element is as wide as the sum of the advances of its characters. */
function isInOneLine(element) {
    const text = textAround(element);
    const parts = [text, ...text.querySelectorAll('*')];
    // One x and one y at the start of a text move all of its characters.
    const isStart = (part, place) => part === text && /^[xy]$/.test(place) && !/[\s,]/.test(part.getAttribute(place).trim());
    const isMoved = (part) => PLACES.some((place) => part.hasAttribute(place) && !isStart(part, place));
    return !parts.some((part) => part.localName === 'textPath' || isMoved(part));
}

/** Puts the characters of the text around an element in one line. Returns the element, in place of which a `textPath` has a `tspan`. */
function putInOneLine(element) {
    const text = textAround(element);
    let straight = element;
    for (const part of [text, ...text.querySelectorAll('*')]) {
        for (const place of PLACES) part.removeAttribute(place);
        if (part.localName !== 'textPath') continue;
        const span = part.ownerDocument.createElementNS(SVG, 'tspan');
        for (const { name, value } of part.attributes) {
            if (!name.endsWith('href')) span.setAttribute(name, value);
        }
        span.append(...part.childNodes);
        part.replaceWith(span);
        if (part === element) straight = span;
    }
    return straight;
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

/** The properties that a drawing inherits from the elements of HTML around it, by their names. */
function inherited(window, root) {
    const properties = new Map();
    for (let around = root.parentElement; around; around = around.parentElement) {
        const style = window.getComputedStyle(around);
        for (const property of INHERITED) {
            const value = style.getPropertyValue(property);
            const isKnown = properties.has(property) || root.hasAttribute(property);
            if (value !== '' && !isKnown) properties.set(property, value);
        }
    }
    return properties;
}

/**
 * The text of an element, with more attributes and with more contents, which come first.
 *
 * XMLSerializer writes what is in a document even if that is not XML: attributes such as `@click`, of which HTML allows any,
 * or a `xlink:href` without its namespace. A browser has boxes for such drawings, so this leaves out what XML does not
 * allow. Comments are left out, too.
 */
function textOfElement(element, attributes = new Map(), contents = '') {
    const name = element.localName;
    if (!NAME.test(name)) return '';
    const all = new Map([...attributes, ...attributesOf(element)]);
    const parent = element.parentNode;
    if (attributes.size > 0 || parent?.namespaceURI !== element.namespaceURI) all.set('xmlns', element.namespaceURI);
    const written = [...all].map(([attribute, value]) => ` ${attribute}="${escaped(value)}"`).join('');
    const inside = name === 'style' ? escaped(textOf(element)) : [...element.childNodes].map(textOfNode).join('');
    return `<${name}${written}>${contents}${inside}</${name}>`;
}

function textOfNode(node) {
    if (node.nodeType === ELEMENT) return textOfElement(node);
    return node.nodeType === TEXT || node.nodeType === CDATA ? escaped(node.data) : '';
}

const [ELEMENT, TEXT, CDATA] = [1, 3, 4];

const XLINK = 'http://www.w3.org/1999/xlink';

/** The names of elements and attributes without a prefix that XML allows. */
const NAME = /^[\p{L}_][\p{L}\p{N}\p{M}_.-]*$/u;

/** The attributes of an element that XML allows. Of those with a prefix, only links and `xml:space` affect boxes. */
function attributesOf(element) {
    const found = new Map();
    for (const { name, localName, namespaceURI, value } of element.attributes) {
        if (namespaceURI === XLINK || name === 'xlink:href') {
            found.set('xmlns:xlink', XLINK).set('xlink:href', value);
        } else if (name === 'xml:space') {
            found.set(name, value);
        } else if (name !== 'xmlns' && name === localName && NAME.test(name) && !isInvalidViewBox(name, value)) {
            found.set(name, value);
        }
    }
    return found;
}

/** Whether an attribute is a `viewBox` that a browser ignores, or that disables the drawing of the element, which has boxes anyway. */
function isInvalidViewBox(name, value) {
    if (name !== 'viewBox') return false;
    const numbers = value.trim().split(/\s*,\s*|\s+/).map(Number);
    return numbers.length !== 4 || !numbers.every(Number.isFinite) || numbers[2] <= 0 || numbers[3] <= 0;
}

/** The characters that XML does not allow. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function escaped(text) {
    const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
    return text.replace(FORBIDDEN, '').replace(/[&<>"]/g, (character) => entities[character]);
}

function rect(window, x, y, width, height) {
    const DOMRect = window.DOMRect ?? window.DOMRectReadOnly;
    return DOMRect ? new DOMRect(x, y, width, height) : { x, y, width, height };
}

if (typeof globalThis.SVGElement === 'function' && typeof globalThis.document === 'object') {
    install(globalThis);
}
