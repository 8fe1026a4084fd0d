import { initSync, open } from './node.js';

/**
 * A plugin for svgo 4 that removes elements that are certainly invisible: outside of the canvas, outside of their
 * clips, or without anything to paint.
 *
 * A drawing stays as it is if it has a text, if scripts or animations may change it, or if something in it has no exact
 * box.
 */
export default {
    name: 'removeInvisible',
    description: 'removes elements that nobody can see, by their clipped boxes',
    fn(root, { kinds = KINDS } = {}) {
        // Without its fonts, it is not known where a text is, or a clip path that contains one.
        if (hasTexts(root)) return null;
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
                const findings = drawing.audit({ kinds });
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
