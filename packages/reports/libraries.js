// The libraries that people use today. Each function answers as its library documents it.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { Resvg } from '@resvg/resvg-js';
import { Window } from 'happy-dom';
import { JSDOM } from 'jsdom';
import { createSVGWindow } from 'svgdom';
import { builtinPlugins, optimize } from 'svgo';

const require = createRequire(import.meta.url);

/** The name and the version of an installed package. */
export function named(name) {
    const file = new URL(`node_modules/${name}/package.json`, import.meta.url);
    return `${name} ${JSON.parse(readFileSync(file, 'utf8')).version}`;
}

export function jsdomWindow(svg) {
    return new JSDOM(`<!doctype html><body>${svg}</body>`).window;
}

export function happyDomWindow(svg) {
    const window = new Window();
    window.document.write(`<!doctype html><body>${svg}</body>`);
    return window;
}

// All windows of happy-dom have the same classes, and the adapter replaces this function.
const { getBBox } = new Window().SVGGraphicsElement.prototype;

/** For each library, a function from the text of a drawing and a selector to a box. */
export const BOXES = {
    jsdom: (svg, selector) => jsdomWindow(svg).document.querySelector(selector).getBBox(),
    'happy-dom': (svg, selector) => getBBox.call(happyDomWindow(svg).document.querySelector(selector)),
    svgdom(svg, selector) {
        const { document } = createSVGWindow();
        const around = document.createElement('div');
        around.innerHTML = svg;
        return around.querySelector(selector).getBBox();
    },
    'svg-path-bounds'(svg, selector) {
        const [x0, y0, x1, y1] = require('svg-path-bounds')(pathData(svg, selector));
        return { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
    },
    'svg-path-bounding-box'(svg, selector) {
        const { x1, y1, width, height } = require('svg-path-bounding-box')(pathData(svg, selector));
        return { x: x1, y: y1, width, height };
    },
    'svg-boundings'(svg, selector) {
        const { left, top, width, height } = require('svg-boundings').path({ d: pathData(svg, selector) });
        return { x: left, y: top, width, height };
    },
    '@resvg/resvg-js'(svg) {
        const { x, y, width, height } = new Resvg(svg).getBBox();
        return { x, y, width, height };
    },
};

function pathData(svg, selector) {
    return jsdomWindow(svg).document.querySelector(selector).getAttribute('d');
}

/** A drawing without the elements that a plugin of svgo removes. */
export function withoutInvisible(svg, plugin) {
    return optimize(svg, { plugins: [plugin] }).data;
}

/** The viewBox of a drawing after all plugins of svgo. */
export function viewBoxBySvgo(svg) {
    const { data } = optimize(svg, { plugins: builtinPlugins.map(({ name }) => name).filter((name) => !EXCLUDED_PLUGINS.has(name)) });
    return viewBoxOf(data);
}

/** Plugins that remove the viewBox itself, or that do nothing without options. */
const EXCLUDED_PLUGINS = new Set([
    'addAttributesToSVGElement',
    'addClassesToSVGElement',
    'preset-default',
    'prefixIds',
    'removeAttributesBySelector',
    'removeAttrs',
    'removeElementsByAttr',
    'removeViewBox',
    'removeXlink',
]);

export function viewBoxOf(svg) {
    const [x, y, width, height] = /viewBox="([^"]*)"/.exec(svg)[1].split(/[\s,]+/).map(Number);
    return { x, y, width, height };
}
