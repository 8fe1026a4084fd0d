// The questions that the threads ask. Each has the rows of a table: what Chromium, a library, and Boxwood answer.
import { init, open } from '@boxwood-rs/svg';
import { install } from '@boxwood-rs/svg/jsdom';
import removeInvisible from '@boxwood-rs/svg/svgo';

import { FONT, boxInBrowser, paintedBox, pixelsChanged } from './browser.js';
import { difference, inChromium, inJsdom } from './diagrams.js';
import { BOXES, happyDomWindow, jsdomWindow, named, viewBoxBySvgo, viewBoxOf, withoutInvisible } from './libraries.js';

await init({ text: true });
const fonts = [FONT];

/** The largest differences of boxes that count as equal: Chromium has `f32`, and rounds the ascent of a font to pixels. */
const NEAR = 0.05;
const NEAR_IN_TEXTS = 0.5;

/**
 * For each question, a function from an input to the header and the rows of its table.
 *
 * @type {Record<string, (context: { page: object, browser: object, script: string, svg: string, input: object }) => Promise<Table>>}
 * @typedef {{ header: string[], rows: string[][], wrong: number }} Table `wrong` counts the rows in which Boxwood is not right.
 */
export const QUESTIONS = {
    box({ page, svg, input: { library, of } }) {
        return boxes(page, svg, of, [named(library), BOXES[library]], (svg, selector) => boxOf(svg, selector));
    },

    boxInJsdom({ page, svg, input: { of } }) {
        return boxes(page, svg, of, [named('jsdom'), BOXES.jsdom], (svg, selector) => boxIn(jsdomWindow(svg), selector));
    },

    boxInHappyDom({ page, svg, input: { of } }) {
        const ours = (svg, selector) => boxIn(happyDomWindow(svg), selector);
        return boxes(page, svg, of, [named('happy-dom'), BOXES['happy-dom']], ours);
    },

    async textLengthInJsdom({ page, svg, input: { of: [selector] } }) {
        const element = (window) => window.document.querySelector(selector);
        const { textLength } = await boxInBrowser(page, svg, selector);
        const window = jsdomWindow(svg);
        install(window, { fonts });
        const ours = element(window).getComputedTextLength();
        const theirs = outcome(() => element(jsdomWindow(svg)).getComputedTextLength(), NUMBER);
        const isRight = Math.abs(ours - textLength) <= NEAR;
        return table(
            ['`getComputedTextLength` of', 'Chromium', named('jsdom'), 'Boxwood', 'Boxwood is'],
            [[`\`${selector}\``, NUMBER(textLength), theirs, NUMBER(ours), verdict(isRight, ours - textLength)]],
            isRight ? 0 : 1,
        );
    },

    async painted({ page, svg, input: { library, scale } }) {
        const truth = await paintedBox(page, svg, { scale });
        const ours = opened(svg, (drawing) => drawing.ink());
        const isRight = farthest(ours, truth) <= 1 / scale;
        const row = ['all', BOX(truth), outcome(() => BOXES[library](svg), BOX), BOX(ours), verdict(isRight, farthest(ours, truth))];
        return table(['painted by', `Chromium, to 1/${scale} px`, named(library), 'Boxwood', 'Boxwood is'], [row], isRight ? 0 : 1);
    },

    async removed({ page, svg }) {
        const describe = async (text) => {
            const changed = await pixelsChanged(page, svg, text);
            const count = (text) => text.match(/<(path|circle|rect|use)\b/g)?.length ?? 0;
            const removed = count(svg) - count(text);
            return { text: `removes ${removed}, ${changed === 0 ? 'the picture stays' : 'the picture changes'}`, changed };
        };
        const theirs = await describe(withoutInvisible(svg, 'removeOffCanvasPaths'));
        const ours = await describe(withoutInvisible(svg, removeInvisible));
        return table(
            [`removeOffCanvasPaths of ${named('svgo')}`, 'Boxwood', 'Boxwood is'],
            [[theirs.text, ours.text, verdict(ours.changed === 0)]],
            ours.changed === 0 ? 0 : 1,
        );
    },

    async cropped({ page, svg, input: { scale } }) {
        const truth = await paintedBox(page, svg, { scale });
        const ours = viewBoxOf(opened(svg, (drawing) => drawing.crop()));
        const isRight = farthest(ours, truth) <= 1 / scale;
        return table(
            [`painted in Chromium, to 1/${scale} px`, '`getBBox` there', `all plugins of ${named('svgo')}`, 'Boxwood', 'Boxwood is'],
            [
                [
                    BOX(truth),
                    BOX(await boxInBrowser(page, svg, 'svg')),
                    BOX(viewBoxBySvgo(svg)),
                    BOX(ours),
                    verdict(isRight, farthest(ours, truth)),
                ],
            ],
            isRight ? 0 : 1,
        );
    },

    async sticksOut({ page, svg, input: { of, scale } }) {
        const canvas = viewBoxOf(svg);
        const findings = opened(svg, (drawing) => drawing.outside());
        const rows = [];
        let wrong = 0;
        for (const selector of of) {
            const margin = Math.ceil(canvas.width / 2);
            const painted = await paintedBox(page, svg, { selector, scale, margin });
            const truth = beyond(painted, canvas);
            const finding = findings.find(({ name }) => `#${name}` === selector);
            // Findings are in CSS pixels, and the pictures are in user units.
            const unit = opened(svg, ({ width }) => width) / canvas.width;
            const sides = Object.values(finding?.outside ?? { left: 0, top: 0, right: 0, bottom: 0 }).map((length) => length / unit);
            const off = Math.max(...sides.map((length, side) => Math.abs(length - truth[side])));
            const isRight = off <= 1 / scale;
            wrong += isRight ? 0 : 1;
            const bboxBeyond = beyond(await boxInRoot(page, svg, selector), canvas);
            rows.push([`\`${selector}\``, SIDES(truth), SIDES(bboxBeyond), finding?.explanation ?? 'nothing', verdict(isRight, off)]);
        }
        const header = ['beyond the `viewBox`', `painted in Chromium, to 1/${scale}`, '`getBBox` there', 'Boxwood', 'Boxwood is'];
        return table(header, rows, wrong);
    },

    async diagrams({ browser, script, input: { of } }) {
        const rows = [];
        let wrong = 0;
        for (const [diagram, library] of Object.entries(of)) {
            const truth = await inChromium(browser, script, diagram);
            const theirs = await inJsdom(script, diagram).then(() => 'draws something', failure);
            const { box, geometry, of: most } = difference(await inJsdom(script, diagram, fonts), truth);
            const off = Math.max(box, geometry);
            wrong += off < 1 ? 0 : 1;
            const differences = [`${NUMBER(box)} px`, `\`${most}\``, `${NUMBER(geometry)} px`];
            rows.push([named(library), `${truth.length}`, theirs, ...differences, verdict(off < 1, off)]);
        }
        const header = ['diagram', 'elements', `${named('jsdom')} alone`, 'largest difference of boxes', 'of', 'of attributes', 'Boxwood is'];
        return table(header, rows, wrong);
    },
};

/** The rows of boxes of elements. */
async function boxes(page, svg, selectors, [library, theirs], ours) {
    const rows = [];
    let wrong = 0;
    for (const selector of selectors) {
        const truth = await boxInBrowser(page, svg, selector);
        const box = ours(svg, selector);
        const off = farthest(box, truth);
        const isRight = off <= (truth.textLength === undefined ? NEAR : NEAR_IN_TEXTS);
        wrong += isRight ? 0 : 1;
        rows.push([`\`${selector}\``, BOX(truth), outcome(() => theirs(svg, selector), BOX), BOX(box), verdict(isRight, off)]);
    }
    return table(['`getBBox` of', 'Chromium', library, 'Boxwood', 'Boxwood is'], rows, wrong);
}

function boxOf(svg, selector) {
    return opened(svg, (drawing) => drawing.bbox(selector));
}

function boxIn(window, selector) {
    install(window, { fonts });
    return window.document.querySelector(selector).getBBox();
}

function opened(svg, work) {
    const drawing = open(svg, { fonts });
    try {
        return work(drawing);
    } finally {
        drawing.free();
    }
}

/** The box of `getBBox` in the user space of the root. */
function boxInRoot(page, svg, selector) {
    return page.evaluate(
        ([svg, selector]) => {
            document.body.innerHTML = svg;
            const element = document.querySelector(selector);
            const { x, y, width, height } = element.getBBox();
            const toRoot = document.querySelector('svg').getScreenCTM().inverse().multiply(element.getScreenCTM());
            const corners = [0, 1].flatMap((i) => [0, 1].map((j) => new DOMPoint(x + i * width, y + j * height).matrixTransform(toRoot)));
            const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
            const [left, top] = [Math.min(...xs), Math.min(...ys)];
            return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
        },
        [svg, selector],
    );
}

/** How far a box is beyond another one: left, top, right, and bottom. */
function beyond(box, around) {
    const lengths = [
        around.x - box.x,
        around.y - box.y,
        box.x + box.width - around.x - around.width,
        box.y + box.height - around.y - around.height,
    ];
    return lengths.map((length) => Math.max(0, length));
}

function farthest(box, other) {
    return Math.max(...['x', 'y', 'width', 'height'].map((side) => Math.abs(box[side] - other[side])));
}

function table(header, rows, wrong) {
    return { header, rows, wrong };
}

/** The text of an answer, or of an error. */
function outcome(ask, format) {
    try {
        return format(ask());
    } catch (error) {
        return failure(error);
    }
}

function failure({ message }) {
    const missing = /(\w+) is not a function$/.exec(message);
    return missing ? `no \`${missing[1]}\`` : `error: ${message}`;
}

/** Two decimals, without a negative zero. */
function NUMBER(number) {
    return Number.isFinite(number) ? (Math.round(number * 100) / 100 + 0).toFixed(2) : String(number);
}

function BOX({ x, y, width, height }) {
    return `${NUMBER(width)} × ${NUMBER(height)} at ${NUMBER(x)}, ${NUMBER(y)}`;
}

function SIDES(lengths) {
    const names = ['left', 'top', 'right', 'bottom'];
    const sides = names.flatMap((name, side) => (lengths[side] > 0.005 ? [`${NUMBER(lengths[side])} ${name}`] : []));
    return sides.join(', ') || 'nothing';
}

function verdict(isRight, off = 0) {
    return isRight ? 'right' : `**not right**${off === 0 ? '' : `: ${NUMBER(Math.abs(off))} off`}`;
}
