// A program that the types must accept, with errors that they must find.
import { BoxwoodError, type Drawing, type Rect, init, open } from '@boxwood-rs/svg';
import { install } from '@boxwood-rs/svg/jsdom';
import removeInvisible from '@boxwood-rs/svg/svgo';

await init({ text: true, maxMemory: 64 * 2 ** 20 });
const drawing: Drawing = open('<svg/>', { fonts: [new Uint8Array()] });
const box: Rect | null = drawing.bbox('#a', { stroke: true });
const widths: (number | 'plane' | null)[] = drawing.boxes({ kinds: ['leaf'], id: 'a' }).map((row) => row.width);
const text: string = drawing.crop({ padding: '2mm', square: true, select: '.icon' });
drawing.at(1, 2, { precise: true });
drawing.outside({ of: 'canvas' })[0]?.outside?.left;
install(globalThis, { fonts: [] });
removeInvisible.name satisfies 'removeInvisible';
try {
    open(new Uint8Array());
} catch (error) {
    if (error instanceof BoxwoodError) error.line?.toFixed();
}
// @ts-expect-error There is no such kind.
drawing.boxes({ kinds: 'inner' });
// @ts-expect-error A drawing is created by `open`.
new (open('<svg/>').constructor as typeof Drawing)();
void [box, widths, text];
