import { initSync, open } from './node.js';
import { checkKeys } from './questions.js';

/**
 * A plugin for svgo 4 that removes elements that are certainly invisible: outside of the canvas, outside of their
 * clips, or without anything to paint.
 *
 * A drawing stays as it is if it has a text, if scripts, animations, or other files may change it, if invisible elements
 * may get clicks, or if something in it has no exact box. What is outside of the canvas stays if the canvas has no size
 * of its own, because then a page may show more than the `viewBox`.
 */
export default {
    name: 'removeInvisible',
    description: 'removes elements that nobody can see, by their clipped boxes',
    fn(root, params = {}) {
        // svgo passes its own `floatPrecision` to each plugin.
        const { kinds = KINDS, floatPrecision: _, ...others } = params;
        checkKeys('removeInvisible', others, []);
        const unknown = kinds.find((kind) => !REMOVABLE.includes(kind));
        if (unknown !== undefined) throw new Error(`removeInvisible: \`${unknown}\` is not one of ${REMOVABLE.join(', ')}`);
        // Without its fonts, it is not known where a text is, or a clip path that contains one.
        if (hasTexts(root) || mayBeUsedOtherwise(root)) return null;
        const certain = hasOwnCanvas(root) ? kinds : kinds.filter((kind) => kind !== 'off-canvas');
        initSync();
        let drawing;
        try {
            drawing = open(textOf(root));
        } catch {
            // svgo accepts texts that are not drawings, and reports those that are not XML.
            return null;
        }
        try {
            if (drawing.mayChange.length === 0 && drawing.warnings.length === 0) {
                // Without a kind, the audit would be about all of them.
                const findings = certain.length > 0 ? drawing.audit({ kinds: certain }) : [];
                remove(root, new Set(findings.map(({ path }) => path)));
            }
        } finally {
            drawing.free();
        }
        return null;
    },
};

/**
 * The kinds of finding that are about elements that nobody can see.
 *
 * `covered` is not one of them: a renderer blends an opaque edge with what is below it, at each scale in other pixels.
 */
const KINDS = ['empty', 'off-canvas', 'clipped-away'];

/** The kinds of finding that `kinds` can name. The others are about elements that are visible. */
const REMOVABLE = [...KINDS, 'covered'];

/** Whether a drawing has style sheets in other files, or elements that get clicks though they are invisible. */
function mayBeUsedOtherwise(node) {
    if (node.type === 'instruction') return node.name === 'xml-stylesheet';
    if (node.type === 'text' || node.type === 'cdata') return node.value.includes('pointer-events');
    if (node.type !== 'root' && node.type !== 'element') return false;
    const { style = '', 'pointer-events': events } = node.attributes ?? {};
    return events !== undefined || style.includes('pointer-events') || node.children.some(mayBeUsedOtherwise);
}

/**
 * Whether the canvas of a drawing has a width and a height, and clips what is outside of it. A page shows a drawing without
 * them in any size, and then with more than its `viewBox` at two sides. A `view` shows another part of it.
 */
function hasOwnCanvas(root) {
    const svg = root.children.find(({ type }) => type === 'element');
    const { width, height, style = '', overflow } = svg?.attributes ?? {};
    const isLength = (side) => side !== undefined && !side.trim().endsWith('%') && side.trim() !== 'auto';
    const isPlain = overflow === undefined && !/overflow|width|height|size/.test(style) && !contains(root, 'style');
    return isLength(width) && isLength(height) && isPlain && !contains(root, 'view');
}

/** Whether a tree of svgo contains an element with this name. */
function contains(node, name) {
    if (node.type !== 'root' && node.type !== 'element') return false;
    return (node.type === 'element' && localName(node.name) === name) || node.children.some((child) => contains(child, name));
}

/** Removes the elements with these paths, such as `/svg/g[2]/rect[1]`. */
function remove(parent, paths, prefix = '') {
    const counts = new Map();
    parent.children = parent.children.filter((node) => {
        if (node.type !== 'element') return true;
        const tag = localName(node.name);
        const count = (counts.get(tag) ?? 0) + 1;
        counts.set(tag, count);
        const path = prefix === '' ? `/${tag}` : `${prefix}/${tag}[${count}]`;
        if (paths.has(path)) return false;
        remove(node, paths, path);
        return true;
    });
}

/** Whether a tree of svgo has a text that is not empty. */
function hasTexts(node) {
    if (node.type !== 'root' && node.type !== 'element') return false;
    if (node.type === 'element' && localName(node.name) === 'text') return node.children.length > 0;
    return node.children.some(hasTexts);
}

function localName(name) {
    return name.slice(name.indexOf(':') + 1);
}

/** The text of a tree of svgo. */
function textOf(node) {
    switch (node.type) {
        case 'root':
            return node.children.map(textOf).join('');
        case 'element': {
            const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escaped(value)}"`);
            return `<${node.name}${attributes.join('')}>${node.children.map(textOf).join('')}</${node.name}>`;
        }
        case 'text':
            return escaped(node.value);
        case 'cdata':
            return `<![CDATA[${node.value}]]>`;
        case 'doctype':
            return `<!DOCTYPE${node.data.doctype}>`;
        // Comments draw nothing, and a string has no encoding to declare. Style sheets of instructions are not read.
        default:
            return '';
    }
}

function escaped(text) {
    const entities = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
    return text.replace(/[&<>"]/g, (character) => entities[character]);
}
