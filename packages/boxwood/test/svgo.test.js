// The plugin for svgo: it removes what nobody sees, and nothing else.
import assert from 'node:assert/strict';
import test from 'node:test';

import removeInvisible from '@boxwood-rs/svg/svgo';
import { optimize } from 'svgo';

const SVG = 'xmlns="http://www.w3.org/2000/svg"';

/** The text after the plugin alone. */
function optimized(body, plugin = removeInvisible) {
    const { data } = optimize(`<svg ${SVG} width="20" height="20">${body}</svg>`, { plugins: [plugin] });
    return data.replace(/^<svg[^>]*>|<\/svg>$/g, '');
}

test('invisible elements are removed', () => {
    const visible = '<rect width="5" height="5"/>';
    for (const invisible of [
        '<path d="M30 0h9v9z"/>',
        '<g transform="translate(40)"><circle r="5"/><circle r="2"/></g>',
        '<rect width="0" height="5"/>',
        '<text y="99"/>',
    ]) {
        assert.equal(optimized(invisible + visible), visible, invisible);
    }
    const cover = '<path fill="red" d="M0 0h20v20H0z"/>';
    assert.equal(optimized(visible + cover), visible + cover, 'an edge of the cover is blended with what is below it');
    assert.equal(optimized(visible + cover, { ...removeInvisible, params: { kinds: ['covered'] } }), cover);
});

test('visible elements stay', () => {
    for (const body of [
        // svgo's removeOffCanvasPaths deletes the next two: the first reaches the canvas by its stroke, and the second by its group.
        '<path stroke="red" stroke-width="9" d="M23 0v20"/>',
        '<g transform="translate(-40)"><path d="M45 5h9v9z"/></g>',
        '<style>.far{transform:translate(-30px)}</style><path class="far" d="M35 0h9v9z"/>',
        '<path d="M30 0h9v9z"><animate attributeName="d" to="M0 0h9v9z" dur="1s"/></path>',
        '<script>move()</script><path id="p" d="M30 0h9v9z"/>',
        '<defs><path id="p" d="M30 0h9v9z"/></defs><use href="#p" x="-30"/>',
        // The fonts of texts are not known.
        '<defs><text id="t" y="15">Text</text></defs><use href="#t"/><path d="M30 0h9v9z"/>',
        '<clipPath id="c"><text y="15">Text</text></clipPath><rect width="20" height="20" clip-path="url(#c)"/>',
        '<style>path+rect{fill:red}</style><path d="M30 0h9v9z"/><rect width="5" height="5"/>',
    ]) {
        assert.equal(optimized(body), body);
    }
});

test('what may be visible or get clicks stays', () => {
    const far = '<path d="M30 0h9v9z"/>';
    const all = (svg) => optimize(svg, { plugins: [removeInvisible] }).data;
    for (const svg of [
        // A page may show these in any size, and then more than the viewBox.
        `<svg ${SVG} viewBox="0 0 20 20">${far}</svg>`,
        `<svg ${SVG} viewBox="0 0 20 20" width="100%" height="100%">${far}</svg>`,
        `<svg ${SVG} width="20" height="20" style="overflow:visible">${far}</svg>`,
        `<svg ${SVG} width="20" height="20"><view id="v" viewBox="30 0 20 20"/>${far}</svg>`,
        `<?xml-stylesheet href="style.css"?><svg ${SVG} width="20" height="20">${far}</svg>`,
        `<svg ${SVG} width="20" height="20"><path fill="none" pointer-events="all" d="M0 0h9v9z"/></svg>`,
    ]) {
        assert.equal(all(svg), svg);
    }
    const empty = `<svg ${SVG} viewBox="0 0 20 20"><path/>${far}</svg>`;
    assert.equal(all(empty), `<svg ${SVG} viewBox="0 0 20 20">${far}</svg>`);
    for (const params of [{ kinds: ['sticks-out'] }, { kind: ['empty'] }]) {
        assert.throws(() => optimize(empty, { plugins: [{ ...removeInvisible, params }] }), /sticks-out|kind/);
    }
});

test('texts that are not drawings stay', () => {
    assert.equal(optimize('<svg/>', { plugins: [removeInvisible] }).data, '<svg/>');
    assert.equal(optimize(`<svg ${SVG} width="0"/>`, { plugins: [removeInvisible] }).data, `<svg ${SVG} width="0"/>`);
});
