// The effect of two features, as a surface seen from above.
const FINER = 6;

function rgb(name) {
  const probe = html("span", {});
  probe.style.color = `var(${name})`;
  document.body.append(probe);
  const parts = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
  probe.remove();
  return parts;
}

const between = (one, other, share) => one.map((value, k) => value + (other[k] - value) * share);

// From a value to a colour: around zero to either side, else from the neutral colour to the group's.
function colouring(effect, group) {
  const neutral = rgb("--neutral");
  if (effect.zero !== null) {
    const most = Math.max(...effect.values.map((value) => Math.abs(value - effect.zero))) || 1;
    const [negative, positive] = [rgb("--negative"), rgb("--positive")];
    return {
      range: [effect.zero - most, effect.zero + most],
      of: (value) => {
        const share = Math.max(-1, Math.min(1, (value - effect.zero) / most));
        return between(neutral, share < 0 ? negative : positive, Math.abs(share) ** 0.8);
      },
    };
  }
  let [low, high] = [Math.min(...effect.values), Math.max(...effect.values)];
  if (low >= 0 && high <= 1) [low, high] = [0, 1];
  const full = rgb(`--c${(group % 8) + 1}`);
  return { range: [low, high], of: (value) => between(neutral, full, (value - low) / (high - low || 1)) };
}

// Which two steps a place lies between, and how far along; labels have nothing between them.
function places(axis) {
  const n = axis.positions.length;
  if (axis.labels) return axis.labels.map((_, step) => [step, step, 0]);
  return Array.from({ length: (n - 1) * FINER + 1 }, (_, k) => {
    const step = Math.min(n - 2, Math.floor(k / FINER));
    return [step, step + 1, k / FINER - step];
  });
}

function paint(effect, valueAt, colours) {
  const [columns, rows] = [places(effect.axes[0]), places(effect.axes[1])];
  const canvas = html("canvas", { width: columns.length, height: rows.length });
  const pixels = new ImageData(columns.length, rows.length);
  rows.forEach(([r0, r1, r], row) => columns.forEach(([c0, c1, c], column) => {
    const low = valueAt(c0, r0) * (1 - c) + valueAt(c1, r0) * c;
    const high = valueAt(c0, r1) * (1 - c) + valueAt(c1, r1) * c;
    const place = 4 * ((rows.length - 1 - row) * columns.length + column);
    pixels.data.set([...colours.of(low * (1 - r) + high * r), 255], place);
  }));
  canvas.getContext("2d").putImageData(pixels, 0, 0);
  return canvas.toDataURL();
}

function legend(frame, colours) {
  const [low, high] = colours.range;
  const height = (frame.bottom - frame.top) / 24;
  const x = frame.right + 16;
  const blocks = Array.from({ length: 24 }, (_, k) => svg("rect", {
    x, y: frame.bottom - (k + 1) * height, width: 10, height: height + 0.5,
    fill: `rgb(${colours.of(low + ((k + 0.5) / 24) * (high - low)).map(Math.round)})`,
  }));
  const marks = ticks(low, high, 4).map((value) => svg("text", {
    x: x + 15, y: frame.bottom + ((value - low) / (high - low || 1)) * (frame.top - frame.bottom) + 4,
  }, written(value)));
  return svg("g", {}, ...blocks, ...marks);
}

function drawSurface(width, effect, output, slice, group) {
  const [first, second, third] = effect.axes;
  const [n, m, k] = [effect.outputs.length, second.positions.length, third ? third.positions.length : 1];
  const valueAt = (i, j) => effect.values[((i * m + j) * k + slice) * n + output];
  const frame = { left: 72, right: width - 64, top: 10, bottom: 278 };
  const across = scaleOf(first, frame.left, frame.right);
  const up = scaleOf(second, frame.bottom, frame.top);
  const colours = colouring(effect, group);
  const cross = svg("path", { class: "cross" });
  const picture = svg("svg", { viewBox: `0 0 ${width} 330`, height: 330 },
    svg("image", {
      x: frame.left, y: frame.top, width: frame.right - frame.left, height: frame.bottom - frame.top,
      preserveAspectRatio: "none", href: paint(effect, valueAt, colours),
    }),
    acrossAxis(frame, first, across), upAxis(frame, second.name, up), legend(frame, colours), cross);
  return {
    picture,
    at: (x, y) => [across.step(x), m - 1 - scaleOf(second, frame.top, frame.bottom).step(y)],
    mark: ([i, j]) => cross.setAttribute("d",
      `M${across.of(i) - 7} ${up.of(j)}h14M${across.of(i)} ${up.of(j) - 7}v14`),
    value: ([i, j]) => valueAt(i, j),
  };
}
