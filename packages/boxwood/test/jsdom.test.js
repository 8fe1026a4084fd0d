// getBBox in jsdom and happy-dom.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { install } from '@boxwood-rs/svg/jsdom';
import { Window } from 'happy-dom';
import { JSDOM } from 'jsdom';

const fonts = [readFileSync(process.env.BOXWOOD_FONT)];
const PAGE = `<!doctype html><style>.wide { font-size: 40px }</style>
    <svg width="200" height="100" viewBox="0 0 100 50">
        <g id="g" transform="scale(2)"><rect id="r" width="10" height="5"/><rect x="20" y="5" width="10" height="5"/></g>
        <text id="t" y="30" font-family="Noto Sans">Text</text><text id="w" y="30" class="wide">Text</text>
        <svg x="50"><circle id="c" r="4" stroke="red" stroke-width="2"/></svg>
        <g style="display: none"><rect id="hidden" width="9" height="9"/></g>
    </svg>`;

const windows = {
    jsdom: () => new JSDOM(PAGE).window,
    'happy-dom': () => {
        const window = new Window();
        window.document.write(PAGE);
        return window;
    },
};

for (const [name, create] of Object.entries(windows)) {
    test(`elements have boxes in ${name}`, () => {
        const window = create();
        install(window, { fonts });
        const box = (id, options) => {
            const { x, y, width, height } = window.document.getElementById(id).getBBox(options);
            return { x, y, width, height };
        };
        assert.deepEqual(box('r'), { x: 0, y: 0, width: 10, height: 5 });
        assert.deepEqual(box('g'), { x: 0, y: 0, width: 30, height: 10 });
        assert.deepEqual(box('c', { stroke: true }), { x: -5, y: -5, width: 10, height: 10 });
        assert.deepEqual(box('hidden'), { x: 0, y: 0, width: 0, height: 0 });
        const text = box('t');
        assert.ok(text.width > 25 && text.width < 40, `${text.width}`);
        assert.ok(Math.abs(box('w').width / text.width - 40 / 16) < 0.01, 'a style sheet of the page counts');
        assert.equal(window.document.getElementById('t').getComputedTextLength(), text.width);
        // A change counts at once.
        window.document.getElementById('r').setAttribute('width', '30');
        assert.deepEqual(box('r'), { x: 0, y: 0, width: 30, height: 5 });
        const added = window.document.createElementNS('http://www.w3.org/2000/svg', 'path');
        added.setAttribute('d', 'M0 0C0 40 40 40 40 0');
        added.id = 'added';
        assert.equal(added.getBBox().width, 0, 'an element outside of a drawing has no box');
        window.document.getElementById('g').append(added);
        assert.deepEqual(box('added'), { x: 0, y: 0, width: 40, height: 30 });
    });

    test(`texts have lengths in ${name}`, () => {
        const window = create();
        install(window, { fonts });
        const { document } = window;
        const drawing = document.querySelector('svg');
        const length = (contents, attributes = '') => {
            drawing.innerHTML = `<text id="t" font-family="Noto Sans" ${attributes}>${contents}</text>`;
            return document.getElementById('t').getComputedTextLength();
        };
        const natural = length('Text');
        for (const [contents, attributes] of [
            ['Text', 'x="50" y="9"'],
            ['Text', 'x="5 50 80"'],
            ['Te<tspan x="90" dy="20">xt</tspan>', ''],
            ['Te<tspan dx="15">xt</tspan>', ''],
            ['Text', 'textLength="90"'],
            ['Text', 'rotate="45"'],
        ]) {
            assert.ok(Math.abs(length(contents, attributes) - natural) < 1e-3, `${contents}, ${attributes}`);
        }
        assert.ok(Math.abs(length('TextText') / natural - 2) < 0.05);
        // The places of the text count for the characters of its parts, and a path bends them.
        for (const contents of ['<tspan>Text</tspan>', '<textPath href="#circle">Text</textPath>']) {
            drawing.innerHTML = `<path id="circle" d="M50 50a20 20 0 1 1 .1 0"/><text font-family="Noto Sans" x="0 50 100">${contents}</text>`;
            const part = drawing.querySelector('text').firstElementChild;
            assert.ok(Math.abs(part.getComputedTextLength() - natural) < 1e-3, contents);
        }
        assert.equal(document.createElementNS(drawing.namespaceURI, 'text').getComputedTextLength(), 0);
    });

    test(`what XML does not allow changes no boxes in ${name}`, () => {
        const window = create();
        install(window, { fonts });
        const { document } = window;
        document.body.innerHTML = `<svg viewBox="0 0 NaN 5" inkscape:version="1">
            <!-- a -- b --><g @click="x" :class="y"><rect id="r" width="10" height="5"/></g><use id="u"/></svg>`;
        document.getElementById('u').setAttribute('xlink:href', '#r');
        document.getElementById('r').setAttribute('data-note', '\u0001');
        for (const id of ['r', 'u']) assert.equal(document.getElementById(id).getBBox().width, 10, id);
    });

    test(`options are checked in ${name}`, () => {
        assert.throws(() => install(create(), { font: fonts }), /there is no option `font`/);
        assert.throws(() => install(), /pass the window/);
    });

    test(`a text has the styles of the page in ${name}`, () => {
        const window = create();
        install(window, { fonts });
        const { document } = window;
        const width = () => document.getElementById('t').getBBox().width;
        document.body.innerHTML = '<div><svg width="200" height="100"><text id="t" y="30">Text</text></svg></div>';
        const natural = width();
        document.querySelector('div').style.fontSize = '32px';
        assert.ok(Math.abs(width() / natural - 2) < 0.01, 'an element of HTML counts');
        document.querySelector('svg').setAttribute('font-size', '8');
        assert.ok(Math.abs(width() / natural - 0.5) < 0.01, 'a nearer element counts more');
        const style = document.createElement('style');
        document.head.append(style);
        style.sheet.insertRule('text { font-size: 48px }');
        assert.ok(Math.abs(width() / natural - 3) < 0.01, 'a rule that a script inserts counts');
    });

    test(`elements have boxes in their page in ${name}`, () => {
        const window = create();
        install(window, { fonts });
        const box = (id) => {
            const { x, y, width, height } = window.document.getElementById(id).getBoundingClientRect();
            return { x, y, width, height };
        };
        // The viewBox doubles all lengths, and so does the group.
        assert.deepEqual(box('r'), { x: 0, y: 0, width: 40, height: 20 });
        assert.deepEqual(box('c'), { x: 92, y: -8, width: 16, height: 16 });
        assert.deepEqual(box('hidden'), { x: 0, y: 0, width: 0, height: 0 });
    });
}
