#!/usr/bin/env python3
"""Measures how soon the window of `boxwood view` follows the pointer, the wheel, and the keys.

    Xvfb :43 -screen 0 1280x960x24 -noreset &
    DISPLAY=:43 tests/benches/response/response.py target/release/boxwood FILE...

The X server makes the events (XTEST) and reports each change of the window (DAMAGE). After each
change, one row of pixels is read from the window. The left edge of the drawing, or of the
highlighted box, shows the last event that the window has followed. The time of an event ends when
a row with its effect, or with that of a later event, has been read. For the tree, it ends with a
change of the names. It includes the work of the X server and of this program, which share the
cores with the window.

It needs python-xlib, which is `python3-xlib` on Debian, and a display without a window manager.
Without -noreset, the server resets when a viewer ends.
"""

import argparse
import contextlib
import os
import select
import statistics
import subprocess
import tempfile
import time

from Xlib import X, XK, display
from Xlib.ext import damage

# Colours as images of the X server have them: blue, green, red, and a byte without meaning.
SURROUND = bytes([0x20, 0x1C, 0x1C])
OUTLINE = bytes([0x70, 0x70, 0x70])
HOVER = bytes([0xE9, 0xB4, 0x56])
# The columns between the panels, in a window of the default size with panels of their default widths.
LEFT, RIGHT = 236, 816
# The bottom of the picture area is at least this far from that of the window.
STATUS_HEIGHT = 60
WHEEL_UP, WHEEL_DOWN = 4, 5
# The side of a cell of the drawing for highlights, with the gap after it.
CELL = 4


class Viewer:
    """A running viewer, with a connection to its X server."""

    def __init__(self, program, file):
        self.display = display.Display()
        self.display.damage_query_version()
        root = self.display.screen().root
        root.change_attributes(event_mask=X.SubstructureNotifyMask)
        self.point_away()
        environment = {**os.environ, "XDG_STATE_HOME": "/dev/null"}
        environment.pop("WAYLAND_DISPLAY", None)
        command = [program, "view", "--no-system-fonts", file]
        self.started = time.perf_counter()
        self.process = subprocess.Popen(command, env=environment)
        event = self.next_event(time.perf_counter() + 60)
        while event is not None and event.type != X.MapNotify:
            event = self.next_event(time.perf_counter() + 60)
        if event is None:
            raise SystemExit("the window did not open within 60 s")
        self.window = event.window
        self.window.damage_create(damage.DamageReportRawRectangles)
        self.window.set_input_focus(X.RevertToParent, X.CurrentTime)
        self.display.sync()

    def close(self):
        self.process.terminate()
        self.process.wait()
        self.display.close()

    def next_event(self, until):
        """The next event of the X server before a time."""
        while not self.display.pending_events():
            left = until - time.perf_counter()
            if left <= 0:
                return None
            select.select([self.display.fileno()], [], [], left)
        return self.display.next_event()

    def next_change(self, until):
        """Waits for a change of the window until a time. Returns whether there is one."""
        event = self.next_event(until)
        while event is not None and event.type != self.display.extension_event.DamageNotify:
            event = self.next_event(until)
        # The pixels that are read next include these changes.
        while self.display.pending_events():
            self.display.next_event()
        return event is not None

    def settle(self, seconds):
        """Lets this time pass."""
        until = time.perf_counter() + seconds
        while self.next_change(until):
            pass

    def rest(self):
        """Waits until the viewer has used no CPU for 0.4 s."""
        start = time.perf_counter()
        used, since = cpu_seconds(self.process.pid), start
        while time.perf_counter() - since < 0.4:
            self.next_change(time.perf_counter() + 0.05)
            now = cpu_seconds(self.process.pid)
            if now != used:
                used, since = now, time.perf_counter()
            if since - start > 120:
                raise SystemExit("the viewer has not come to rest within 120 s")

    def image(self, x, y, width, height):
        return self.window.get_image(x, y, width, height, X.ZPixmap, 0xFFFFFFFF).data

    def pixels(self, x, y, width, height):
        data = self.image(x, y, width, height)
        return [data[i : i + 3] for i in range(0, len(data), 4)]

    def edge(self, y):
        """The first column of the drawing and its outline in a row."""
        row = self.pixels(LEFT, y, RIGHT - LEFT, 1)
        return next((LEFT + x for x, pixel in enumerate(row) if pixel != SURROUND), None)

    def first(self, color, y):
        """The first column of a colour in a row."""
        row = self.pixels(LEFT, y, RIGHT - LEFT, 1)
        return next((LEFT + x for x, pixel in enumerate(row) if pixel == color), None)

    def wait_for_drawing(self):
        """Waits for the drawing. Returns its left edge, its top, and the row of its centre."""
        height = self.window.get_geometry().height - STATUS_HEIGHT
        until = time.perf_counter() + 60
        while time.perf_counter() < until:
            column = self.pixels((LEFT + RIGHT) // 2, 0, 1, height)
            top = next((y for y, pixel in enumerate(column) if pixel != SURROUND), height)
            # A window without a frame is black, and the progress of work is at the bottom.
            if 0 < top < height // 2:
                end = next((y for y in range(top, height) if column[y] == SURROUND), height)
                centre = (top + end) // 2
                return self.edge(centre), top, centre
            self.next_change(time.perf_counter() + 0.2)
        raise SystemExit("the drawing did not appear within 60 s")

    def send(self, kind, detail=0, x=0, y=0):
        self.display.xtest_fake_input(kind, detail, X.CurrentTime, X.NONE, x, y)
        self.display.flush()

    def move(self, x, y):
        self.send(X.MotionNotify, 0, x, y)

    def point_away(self):
        """Points at the margin above drawings, so that no box is highlighted."""
        self.move(LEFT, 4)

    def click(self, button):
        self.send(X.ButtonPress, button)
        self.send(X.ButtonRelease, button)

    def press(self, key):
        code = self.display.keysym_to_keycode(XK.string_to_keysym(key))
        self.send(X.KeyPress, code)
        self.send(X.KeyRelease, code)


def cpu_seconds(pid):
    """The CPU time that a process has used."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as stat:
        fields = stat.read().rsplit(") ", 1)[1].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


def others_seconds(viewer):
    """The CPU time of everything except the viewer, the X server, and this program."""
    with open("/proc/stat", encoding="utf-8") as stat:
        user, nice, system, _, _, interrupts, soft = map(int, stat.readline().split()[1:8])
    busy = (user + nice + system + interrupts + soft) / os.sysconf("SC_CLK_TCK")
    number = os.environ["DISPLAY"].split(":")[1].split(".")[0]
    with open(f"/tmp/.X{number}-lock", encoding="utf-8") as lock:
        server = int(lock.read())
    return busy - sum(map(cpu_seconds, [viewer.process.pid, server, os.getpid()]))


class Follower:
    """Counts how soon a window follows events."""

    def __init__(self, viewer):
        self.viewer = viewer
        self.start = time.perf_counter()
        self.others = others_seconds(viewer)
        self.times = []
        self.n_frames = 0

    def follow(self, events, interval, look, start):
        """Sends events at an interval in seconds. Each is a function and the position that `look`
        is to return afterwards. `start` is the position before. From there, the positions increase
        or decrease, so the nearest one shows how many events the window has followed."""
        positions = [start, *(position for _, position in events)]
        sent, n_followed = [], 0
        due = time.perf_counter()
        # An event that the window does not follow counts with this time.
        end = due + interval * len(events) + 5
        while n_followed < len(events) and time.perf_counter() < end:
            has_more = len(sent) < len(events)
            if has_more and time.perf_counter() >= due:
                sent.append(time.perf_counter())
                events[len(sent) - 1][0]()
                due += interval
                continue
            if not self.viewer.next_change(due if has_more else end):
                continue
            self.n_frames += 1
            position, now = look(), time.perf_counter()
            if position is None:
                continue
            n_seen = min(range(len(positions)), key=lambda i: abs(positions[i] - position))
            if n_seen <= len(sent):
                self.times += [now - at for at in sent[n_followed:n_seen]]
                n_followed = max(n_followed, n_seen)
        self.times += [time.perf_counter() - at for at in sent[n_followed:]]

    def report(self, file, gesture, limit):
        """Prints a row of the table. `limit` is in milliseconds."""
        passed = time.perf_counter() - self.start
        # The kernel counts processes in ticks, so the difference can be below zero.
        others = max(0, 100 * (others_seconds(self.viewer) - self.others) / passed)
        times = sorted(1000 * t for t in self.times)
        p95 = times[-(-len(times) * 95 // 100) - 1]
        within = sum(t <= limit for t in times)
        print(
            f"| {file} | {gesture} | {len(times)} | {self.n_frames} | {statistics.median(times):.1f} "
            f"| {p95:.1f} | {times[-1]:.1f} | {within} of {len(times)} in {limit} | {others:.0f} % |",
            flush=True,
        )


def drag(viewer, top, row, n, interval, rests=True):
    """Drags the drawing to the right, by 3 pixels at a time, and looks at a row of it. The pointer
    is above its top, because a highlighted box can hide the outline."""
    x, y = (LEFT + RIGHT) // 2 - 40, top - 12
    viewer.move(x - 80, y)
    viewer.send(X.ButtonPress, 1)
    # egui waits for some pixels before it takes this as a drag. The left edge may have been below
    # the panel.
    for start in (x - 70, x):
        viewer.settle(0.05)
        viewer.move(start, y)
    if rests:
        viewer.rest()
    else:
        viewer.settle(0.2)
    edge = viewer.first(OUTLINE, row)
    if edge is None:
        raise SystemExit(f"there is no outline in row {row}: the drawing is too wide or too narrow")
    events = [(lambda i=i: viewer.move(x + 3 * i, y), edge + 3 * i) for i in range(1, n + 1)]
    follower = Follower(viewer)
    follower.follow(events, interval, lambda: viewer.first(OUTLINE, row), edge)
    viewer.send(X.ButtonRelease, 1)
    return follower


def zoom(viewer, row, zoom_out, zoom_in, interval):
    """Zooms out by six steps and in again, four times."""
    n = 6
    viewer.move((LEFT + RIGHT) // 2, row)
    viewer.settle(0.5)
    # Slow steps show where the edge is after each of them.
    edges = [viewer.edge(row)]
    for _ in range(n):
        zoom_out()
        viewer.settle(0.25)
        edges.append(viewer.edge(row))
    for _ in range(n):
        zoom_in()
        viewer.settle(0.1)
    viewer.rest()
    follower = Follower(viewer)
    for _ in range(4):
        for step, path in ((zoom_out, edges), (zoom_in, edges[::-1])):
            # A picture that is scaled up has a blurred edge, which is only near its position.
            events = [(step, edge) for edge in path[1:]]
            follower.follow(events, interval, lambda: viewer.edge(row), path[0])
            # The painter starts a picture meanwhile, and may not finish it.
            viewer.settle(0.7)
    return follower


def measure_file(program, file, gestures):
    name = os.path.basename(file)
    viewer = Viewer(program, file)
    try:
        viewer.wait_for_drawing()
        if "first" in gestures:
            viewer.settle(0.5)
            # The panels have other widths with a drawing.
            _, top, row = viewer.wait_for_drawing()
            follower = drag(viewer, top, row, 97, 0.016, rests=False)
            follower.report(name, "drag, 16 ms, during the first picture", 33)
        viewer.point_away()
        viewer.press("space")
        viewer.rest()
        _, top, row = viewer.wait_for_drawing()
        wheel = [lambda button=button: viewer.click(button) for button in (WHEEL_DOWN, WHEEL_UP)]
        keys = [lambda key=key: viewer.press(key) for key in ("minus", "equal")]
        rows = {
            "drag16": ("drag, 16 ms", lambda: drag(viewer, top, row, 97, 0.016)),
            "drag110": ("drag, 110 ms", lambda: drag(viewer, top, row, 49, 0.110)),
            "drag180": ("drag, 180 ms", lambda: drag(viewer, top, row, 37, 0.180)),
            "wheel16": ("wheel, 16 ms", lambda: zoom(viewer, row, *wheel, 0.016)),
            "wheel60": ("wheel, 60 ms", lambda: zoom(viewer, row, *wheel, 0.060)),
            "wheel180": ("wheel, 180 ms", lambda: zoom(viewer, row, *wheel, 0.180)),
            "keys33": ("keys, 33 ms", lambda: zoom(viewer, row, *keys, 0.033)),
        }
        for gesture in gestures:
            if gesture in rows:
                label, act = rows[gesture]
                viewer.press("space")
                viewer.rest()
                act().report(name, label, 33)
        if "idle" in gestures:
            viewer.rest()
            used, start = cpu_seconds(viewer.process.pid), time.perf_counter()
            viewer.settle(10)
            used, passed = cpu_seconds(viewer.process.pid) - used, time.perf_counter() - start
            print(f"| {name} | idle | {100 * used / passed:.1f} % of a core in {passed:.0f} s |")
    finally:
        viewer.close()


@contextlib.contextmanager
def showing(program, svg):
    """A viewer of a drawing, which is on the screen."""
    with tempfile.NamedTemporaryFile("w", suffix=".svg") as file:
        file.write(svg)
        file.flush()
        viewer = Viewer(program, file.name)
        try:
            viewer.wait_for_drawing()
            yield viewer
        finally:
            viewer.close()


def measure_hover(program):
    """Points at the elements of a drawing of 10,000 squares."""
    squares = "".join(
        f'<rect x="{CELL * x}" y="{CELL * y}" width="{CELL - 1}" height="{CELL - 1}" fill="#ccc"/>'
        for y in range(100)
        for x in range(100)
    )
    side = 100 * CELL
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}">{squares}</svg>'
    with showing(program, svg) as viewer:
        viewer.rest()
        # The panels have their final widths now.
        edge, top, _ = viewer.wait_for_drawing()
        # The outline of the page is one pixel wide.
        row = top + 1 + 50 * CELL + 1

        def point(index):
            viewer.move(edge + 1 + CELL * index + 1, row)

        for interval in (0.016, 0.050, 0.180):
            point(2)
            viewer.rest()
            first = viewer.first(HOVER, row)
            events = [(lambda i=i: point(i), first + CELL * (i - 2)) for i in range(3, 99)]
            follower = Follower(viewer)
            follower.follow(events, interval, lambda: viewer.first(HOVER, row), first)
            follower.report("10,000 squares", f"point, {interval * 1000:.0f} ms", 16)


def measure_tree(program):
    """Turns the wheel over the tree of a drawing of 100,000 elements."""
    rects = "".join(f'<rect id="r{i}" x="{i % 300}" y="{i // 300}" width="1" height="1"/>' for i in range(100_000))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="334">{rects}</svg>'
    with showing(program, svg) as viewer:
        viewer.rest()
        # The names of the elements in a few rows below the filter.
        names = (40, 200, 120, 60)
        viewer.move(100, 230)
        viewer.settle(0.5)
        follower = Follower(viewer)
        for step in range(60):
            before = viewer.image(*names)
            sent = time.perf_counter()
            viewer.click(WHEEL_DOWN if step < 40 else WHEEL_UP)
            while viewer.next_change(sent + 5):
                follower.n_frames += 1
                after = viewer.image(*names)
                if after != before:
                    follower.times.append(time.perf_counter() - sent)
                    break
            else:
                follower.times.append(5)
            viewer.settle(0.3)
        follower.report("100,000 elements", "wheel over the tree, pauses of 300 ms", 16)


def measure_start(program, file):
    """Starts the program several times. Its window opens before it has content."""
    panels, drawings = [], []
    for _ in range(10):
        viewer = Viewer(program, file)
        try:
            while viewer.pixels((LEFT + RIGHT) // 2, 5, 1, 1) != [SURROUND]:
                viewer.next_change(time.perf_counter() + 0.2)
            panels.append(1000 * (time.perf_counter() - viewer.started))
            viewer.wait_for_drawing()
            drawings.append(1000 * (time.perf_counter() - viewer.started))
        finally:
            viewer.close()
    name = os.path.basename(file)
    for label, times in (("the first panels", panels), ("the boxes of the drawing", drawings)):
        median = statistics.median(times)
        print(f"| {name} | start to {label} | median {median:.0f} ms | max {max(times):.0f} ms |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program", help="the command `boxwood`")
    parser.add_argument("files", nargs="*")
    parser.add_argument(
        "--gestures",
        default="first,drag16,drag110,drag180,wheel16,wheel60,wheel180,keys33,hover,tree",
        help="also `idle`, and `start` for the time until there is content in the window",
    )
    arguments = parser.parse_intermixed_args()
    gestures = arguments.gestures.split(",")
    print("| file | gesture, interval | events | frames | median ms | 95 % ms | max ms | in time | other CPU |")
    print("|---|---|---|---|---|---|---|---|---|")
    if "hover" in gestures:
        measure_hover(arguments.program)
    if "tree" in gestures:
        measure_tree(arguments.program)
    for file in arguments.files:
        if "start" in gestures:
            measure_start(arguments.program, file)
        if set(gestures) - {"hover", "tree", "start"}:
            measure_file(arguments.program, file, gestures)


main()
