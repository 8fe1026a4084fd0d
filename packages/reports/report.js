#!/usr/bin/env node
// Writes docs/reports.md: what Chromium, the libraries of today, and Boxwood answer for the inputs of each thread.
//
//     node report.js [--check]
//
// With --check, it fails if the file is not what it would write. The version of Chromium may differ.
import { readFileSync, writeFileSync } from 'node:fs';

import { addPixelsOf, emptyPage, launch } from './browser.js';
import { bundled } from './diagrams.js';
import { QUESTIONS } from './questions.js';
import { THREADS } from './threads.js';

const FILE = new URL('../../docs/reports.md', import.meta.url);
const CHROMIUM = /Chromium \d+/;

const INTRODUCTION = `# Reports of wrong boxes

People ask for boxes of SVG elements outside of a browser in the threads below. For each, there are inputs with the symptom, and what Chromium, the
library of the thread, and Boxwood answer. Everything on this page is computed by [\`packages/reports\`](../packages/reports/report.js). \`tests/web reports\` checks that the page is current.

`;

async function written(version) {
    const browser = await launch();
    try {
        const context = { browser, page: await emptyPage(browser), script: await bundled() };
        await addPixelsOf(context.page);
        const sections = [];
        let [inputs, wrong] = [0, 0];
        for (const thread of THREADS) {
            const links = thread.threads.map(link).join(', ');
            const parts = [`## ${thread.title}\n\n${links}${links && '. '}${thread.about}\n`];
            let shown = null;
            for (const input of thread.inputs) {
                const svg = input.file && readFileSync(new URL(`inputs/${input.file}`, import.meta.url), 'utf8');
                const table = await QUESTIONS[input.question]({ ...context, svg, input });
                if (svg && shown !== input.file) parts.push(`\`${input.file}\`:\n\n\`\`\`xml\n${svg.trim()}\n\`\`\`\n`);
                shown = input.file;
                parts.push(markdown(table));
                inputs += table.rows.length;
                wrong += table.wrong;
            }
            sections.push(parts.join('\n'));
        }
        const place = `Chromium ${version ?? browser.version().split('.')[0]}`;
        const sums = `Boxwood is right in ${inputs - wrong} of ${inputs} rows, compared with ${place} and Node.js.\n\n`;
        return INTRODUCTION + sums + sections.join('\n');
    } finally {
        await browser.close();
    }
}

function link({ repository, number }) {
    return `[${repository.split('/')[1]} ${number}](https://github.com/${repository}/issues/${number})`;
}

function markdown({ header, rows }) {
    const lines = [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
    return `${lines.join('\n')}\n`;
}

/** The first line that differs, for people. */
function firstDifference(found, expected) {
    const [lines, others] = [found, expected].map((text) => text.split('\n'));
    const length = Math.max(lines.length, others.length);
    const index = Array.from({ length }).findIndex((_, index) => lines[index] !== others[index]);
    return `line ${index + 1}:\n    ${lines[index] ?? 'the end'}\ninstead of\n    ${others[index] ?? 'the end'}`;
}

const isCheck = process.argv.includes('--check');
const before = isCheck ? readFileSync(FILE, 'utf8') : '';
const after = await written(CHROMIUM.exec(before)?.[0].split(' ')[1]);
if (!isCheck) {
    writeFileSync(FILE, after);
} else if (after !== before) {
    console.error(`docs/reports.md is not what packages/reports/report.js writes: ${firstDifference(after, before)}`);
}
// The windows of jsdom and happy-dom keep the process alive.
process.exit(isCheck && after !== before ? 1 : 0);
