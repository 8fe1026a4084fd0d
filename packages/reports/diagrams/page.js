// Diagrams that measure their texts. The same script runs in jsdom and in Chromium.
import { Axis, GroupedBar, XYContainer } from '@unovis/ts';
import { axisBottom, axisLeft, scaleBand, scaleLinear, select } from 'd3';
import mermaid from 'mermaid';

const FONT = 'Noto Sans';

/** A chart whose margin, and whose boxes behind labels, are as large as its texts. */
function d3Axes(container) {
    const svg = select(container).append('svg').attr('width', 480).attr('height', 240);
    const [left, bottom] = ['y', 'x'].map((name) => svg.append('g').attr('class', name));
    const values = scaleLinear([0, 12500], [200, 10]);
    left.call(axisLeft(values)).attr('font-family', FONT).attr('font-size', 14);
    const margin = left.node().getBBox().width + 8;
    left.attr('transform', `translate(${margin},0)`);
    const seasons = scaleBand(['Spring', 'Summer', 'Autumn', 'Winter'], [margin, 470]);
    bottom.call(axisBottom(seasons)).attr('transform', 'translate(0,200)').attr('font-family', FONT);
    for (const group of [left, bottom]) {
        group.selectAll('.tick').each(function () {
            const { x, y, width, height } = this.querySelector('text').getBBox();
            const box = select(this).insert('rect', 'text').attr('fill', '#eee');
            box.attr('x', x - 2).attr('y', y - 1).attr('width', width + 4).attr('height', height + 2);
        });
    }
    const title = svg.append('text').attr('font-family', FONT).attr('font-size', 18).text('Visits in a year');
    title.attr('x', 480 - title.node().getComputedTextLength()).attr('y', 20);
}

async function mermaidFlowChart(container) {
    mermaid.initialize({
        startOnLoad: false,
        htmlLabels: false,
        flowchart: { htmlLabels: false },
        fontFamily: FONT,
        themeVariables: { fontFamily: FONT },
    });
    const text = `flowchart TD
        A[Order received] --> B{Is it in stock?}
        B -->|Yes| C(Pack it, and print the label with the address and the customs number)
        B -->|No, not yet| D[[Order more]]
        D --> B
        C --> E((Done))`;
    const { svg } = await mermaid.render('flow-chart', text, container);
    container.innerHTML = svg;
}

/** A chart whose margins are as large as the labels of its axes. */
async function unovisBars(container) {
    document.documentElement.style.setProperty('--vis-font-family', `'${FONT}'`);
    // unovis asks for the style of its labels, and jsdom does not compute those that depend on variables.
    const style = document.createElement('style');
    style.textContent = `g.tick > text { font: 500 12px '${FONT}' }`;
    document.head.append(style);
    const data = [1200, 8400, 5100, 12500].map((value, quarter) => ({ value, quarter }));
    const config = {
        width: 480,
        height: 240,
        duration: 0,
        components: [new GroupedBar({ x: ({ quarter }) => quarter, y: [({ value }) => value] })],
        xAxis: new Axis({ type: 'x', label: 'Quarter', tickFormat: (quarter) => `Quarter ${quarter + 1}` }),
        yAxis: new Axis({ type: 'y', label: 'Revenue' }),
    };
    new XYContainer(container, config, data);
    await new Promise((resolve) => setTimeout(resolve, 500));
}

const DIAGRAMS = { d3: d3Axes, mermaid: mermaidFlowChart, unovis: unovisBars };

/** Attributes of geometry. Their numbers are compared. */
const GEOMETRY = ['cx', 'cy', 'd', 'dx', 'dy', 'height', 'points', 'r', 'rx', 'ry', 'transform', 'viewBox', 'width', 'x', 'x1', 'x2', 'y', 'y1', 'y2'];

/** Elements that are not drawn at their own places. */
const DEFINITIONS = ['defs', 'clipPath', 'filter', 'linearGradient', 'marker', 'mask', 'pattern', 'style', 'symbol', 'title'];

/** The geometry and the boxes of a diagram, element by element. */
window.draw = async (name) => {
    const container = document.createElement('div');
    document.body.replaceChildren(container);
    await DIAGRAMS[name](container);
    const root = container.querySelector('svg');
    return [root, ...drawn(root)].map(measured);
};

/** The elements in another one that are drawn, in document order. */
function drawn(element) {
    const children = [...element.children].filter(({ localName }) => !DEFINITIONS.includes(localName));
    return children.flatMap((child) => [child, ...drawn(child)]);
}

function measured(element) {
    const { x, y, width, height } = element.getBBox();
    const attributes = GEOMETRY.map((attribute) => element.getAttribute(attribute) ?? '');
    const text = ['text', 'tspan'].includes(element.localName) ? element.textContent : '';
    return { name: element.localName, text, attributes, box: [x, y, width, height] };
}
