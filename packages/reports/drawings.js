// Files of drawings, for measurements.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The drawings in folders: at most `count` of them, evenly over the sorted names. */
export function drawingsIn(folders, count = Infinity) {
    const files = folders.flatMap((folder) => {
        const names = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.svg'));
        return names.sort().map((name) => join(folder, name));
    });
    const chosen = Math.min(count, files.length);
    return Array.from({ length: chosen }, (_, index) => files[Math.floor((index * files.length) / chosen)]);
}

export function textsOf(files) {
    return files.map((file) => readFileSync(file, 'utf8'));
}
