// Prints which crates take the bytes of a WebAssembly module, for docs/wasm-size.md.
//
//     node packages/sizes.js target/web/boxwood/boxwood_wasm.wasm
//
// The module must have the names of its functions, so it is the one before wasm-opt. This needs twiggy: cargo install twiggy.
import { spawnSync } from 'node:child_process';

const [module] = process.argv.slice(2);
const { stdout, stderr, status, error } = spawnSync('twiggy', ['top', '-n', '1000000', '-f', 'csv', module], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
});
if (error) throw error;
if (status !== 0) throw new Error(`twiggy: ${stderr}`);

/** The crates whose names are in a symbol, such as `usvg[0123456789abcdef]::parser`. */
const CRATE = /([a-z_0-9]+)\[[0-9a-f]{10,}\]/g;
/** Code of the standard library is that of the crate that it is compiled for. */
const STANDARD = ['alloc', 'core', 'hashbrown', 'std'];
/** Sections that only wasm-bindgen and this report need. */
const REMOVED = /function names|__wasm_bindgen|__wbindgen_describe|^custom section|^js_sys|^wasm_bindgen/;

const bytes = new Map();
let all = 0;
for (const line of stdout.trim().split('\n').slice(1)) {
    const [, name, size] = /^"?(.*?)"?,(\d+),[\d.]+,/.exec(line);
    if (REMOVED.test(name)) continue;
    const crates = [...name.matchAll(CRATE)].map(([, crate]) => crate);
    const crate = crates.find((crate) => !STANDARD.includes(crate)) ?? crates[0] ?? (name.includes('data segment') ? 'data' : 'other');
    bytes.set(crate, (bytes.get(crate) ?? 0) + Number(size));
    all += Number(size);
}
console.log('| crate | kB | % |\n|---|---|---|');
for (const [crate, size] of [...bytes].sort(([, a], [, b]) => b - a).slice(0, 20)) {
    console.log(`| ${crate} | ${(size / 1000).toFixed(0)} | ${((100 * size) / all).toFixed(1)} |`);
}
console.log(`| all | ${(all / 1000).toFixed(0)} | 100 |`);
