// A process that counts the pixels that differ in the pictures of drawings, because a crash of the renderer ends its process.
import { Resvg } from '@resvg/resvg-js';

const WIDTHS = [64, 391];
const font = {
    loadSystemFonts: false,
    fontFiles: [new URL('../../assets/fonts/NotoSans-Regular.ttf', import.meta.url).pathname],
    defaultFontFamily: 'Noto Sans',
};

process.on('message', ([before, after]) => {
    process.send(WIDTHS.map((width) => pixelsChanged(drawn(before, width), drawn(after, width))));
});

/** The pixels of a drawing. An error is a picture too. */
function drawn(text, width) {
    try {
        return new Resvg(text, { fitTo: { mode: 'width', value: width }, font }).render().pixels;
    } catch (error) {
        return Buffer.from(error.message);
    }
}

function pixelsChanged(pixels, others) {
    if (pixels.length !== others.length) return Math.max(pixels.length, others.length) / 4;
    let count = 0;
    for (let index = 0; index + 4 <= pixels.length; index += 4) {
        if (pixels.readUInt32LE(index) !== others.readUInt32LE(index)) count += 1;
    }
    return count;
}
