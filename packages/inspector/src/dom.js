const SVG = 'http://www.w3.org/2000/svg';

/**
 * Creates an element of HTML.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} attributes Functions are listeners, such as `onclick`. `undefined` and `false` leave
 *     an attribute out.
 * @param {...(Node | string | null)} children
 */
export function create(tag, attributes = {}, ...children) {
    return filled(document.createElement(tag), attributes, children);
}

/** Creates an element of SVG. */
export function createSvg(tag, attributes = {}, ...children) {
    return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (typeof value === 'function') node.addEventListener(name.slice(2), value);
        else if (value !== undefined && value !== false) node.setAttribute(name, value === true ? '' : value);
    }
    node.append(...children.filter((child) => child !== null));
    return node;
}

/** The element of the page with this id. */
export function byId(id) {
    return document.getElementById(id);
}

/** Offers a file for download. */
export function download(name, content, type) {
    const url = URL.createObjectURL(new Blob([content], { type }));
    create('a', { href: url, download: name }).click();
    // The browser reads the file after the click.
    setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Copies a text. Pages that are not from this machine or from HTTPS have only the old way. */
export async function copyText(text) {
    if (navigator.clipboard) return navigator.clipboard.writeText(text);
    const field = create('textarea', { class: 'off-screen', 'aria-hidden': 'true' });
    const focused = document.activeElement;
    field.value = text;
    document.body.append(field);
    field.select();
    const isCopied = document.execCommand('copy');
    field.remove();
    focused?.focus();
    if (!isCopied) throw new Error('the browser does not allow it');
}
