// Compares the output of sample.mjs with a second evaluation of the same files, written from the
// glTF 2.0 specification without three.
//
//   node check.mjs [--root DIR] [--tolerance X] OUT.json
//
// Prints the largest differences of each file: positions relative to the file's height, rotations
// in radians, scales relative to the larger of 1 and the scale, morph weights. Exits with 1 when a
// difference is above the tolerance.

import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const COMPONENTS = {
  5120: ['getInt8', 1, 127], 5121: ['getUint8', 1, 255], 5122: ['getInt16', 2, 32767],
  5123: ['getUint16', 2, 65535], 5125: ['getUint32', 4, 4294967295], 5126: ['getFloat32', 4, 1]
};
const SIZES = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 };

function readGltf(file) {
  const data = fs.readFileSync(file);
  let text = data, binary;
  if (data.toString('latin1', 0, 4) === 'glTF') {
    for (let at = 12; at + 8 <= data.length;) {
      const length = data.readUInt32LE(at), type = data.readUInt32LE(at + 4);
      const chunk = data.subarray(at + 8, at + 8 + length);
      if (at === 12) text = chunk;
      else if (type === 0x004e4942 && !binary) binary = chunk;
      at += 8 + length;
    }
  }
  const json = JSON.parse(text.toString('utf8'));
  const buffers = (json.buffers || []).map(({ uri }) => {
    if (uri === undefined) return binary;
    const comma = uri.indexOf(',');
    if (/^data:/i.test(uri)) return Buffer.from(uri.slice(comma + 1), 'base64');
    return fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)));
  });
  return { json, buffers };
}

function readElements({ json, buffers }, source, componentType, size, count, normalized) {
  const [getter, bytes, largest] = COMPONENTS[componentType];
  const view = json.bufferViews[source.bufferView];
  const buffer = buffers[view.buffer];
  const data = new DataView(buffer.buffer, buffer.byteOffset + (view.byteOffset || 0), view.byteLength);
  const stride = view.byteStride || bytes * size;
  const out = [];
  for (let i = 0; i < count; i++) {
    for (let c = 0; c < size; c++) {
      const raw = data[getter]((source.byteOffset || 0) + i * stride + c * bytes, true);
      out.push(normalized ? Math.max(raw / largest, -1) : raw);
    }
  }
  return out;
}

function readAccessor(gltf, index) {
  const a = gltf.json.accessors[index];
  const size = SIZES[a.type];
  const values = a.bufferView === undefined
    ? new Array(a.count * size).fill(0)
    : readElements(gltf, a, a.componentType, size, a.count, a.normalized);
  if (a.sparse) {
    const { count, indices, values: replaced } = a.sparse;
    const at = readElements(gltf, indices, indices.componentType, 1, count, false);
    const to = readElements(gltf, replaced, a.componentType, size, count, a.normalized);
    at.forEach((element, i) => {
      for (let c = 0; c < size; c++) values[element * size + c] = to[i * size + c];
    });
  }
  return values;
}

function normalize(q) {
  const length = Math.hypot(...q);
  return length > 0 ? q.map(x => x / length) : [0, 0, 0, 1];
}

function slerp(a, b, t) {
  const dot = a.reduce((sum, x, i) => sum + x * b[i], 0);
  const sign = dot < 0 ? -1 : 1;
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  if (angle < 1e-6) return normalize(a.map((x, i) => x + t * (sign * b[i] - x)));
  return a.map((x, i) =>
    (Math.sin((1 - t) * angle) * x + sign * Math.sin(t * angle) * b[i]) / Math.sin(angle));
}

function evaluate({ times, values, interpolation, isRotation }, t) {
  const cubic = interpolation === 'CUBICSPLINE';
  const size = values.length / times.length / (cubic ? 3 : 1);
  const row = (key, part) => {
    const start = (cubic ? key * 3 + part : key) * size;
    return values.slice(start, start + size);
  };
  const finish = value => isRotation ? normalize(value) : value;

  let next = times.findIndex(key => key > t);
  if (next === 0) return finish(row(0, 1));
  if (next < 0) return finish(row(times.length - 1, 1));
  const key = next - 1;
  if (interpolation === 'STEP') return finish(row(key, 1));
  const step = times[next] - times[key];
  const s = (t - times[key]) / step;
  const from = row(key, 1), to = row(next, 1);
  if (cubic) {
    const out = row(key, 2), into = row(next, 0);
    return finish(from.map((v, i) =>
      (2 * s ** 3 - 3 * s ** 2 + 1) * v + step * (s ** 3 - 2 * s ** 2 + s) * out[i] +
      (-2 * s ** 3 + 3 * s ** 2) * to[i] + step * (s ** 3 - s ** 2) * into[i]));
  }
  if (isRotation) return slerp(normalize(from), normalize(to), s);
  return from.map((v, i) => v + s * (to[i] - v));
}

// 3x4 column-major matrices: three columns of the linear part, then the translation.
function compose({ translation, rotation, scale }) {
  const [x, y, z, w] = normalize(rotation);
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)].map(v => v * scale[0]),
    [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)].map(v => v * scale[1]),
    [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)].map(v => v * scale[2]),
    translation
  ];
}

function multiply(a, b) {
  return b.map((column, i) => [0, 1, 2].map(row =>
    a[0][row] * column[0] + a[1][row] * column[1] + a[2][row] * column[2] + (i === 3 ? a[3][row] : 0)));
}

function determinant([a, b, c]) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1]);
}

// Scale as the lengths of the columns, x negative for a mirroring matrix.
function decompose(m) {
  const scale = m.slice(0, 3).map(column => Math.hypot(...column));
  const det = determinant(m);
  if (det < 0) scale[0] = -scale[0];
  if (det === 0) return { translation: m[3], rotation: null, scale };
  const [[a, b, c], [d, e, f], [g, h, i]] = m.slice(0, 3).map((column, k) => column.map(v => v / scale[k]));
  // Four equivalent forms, unless the matrix is sheared; the choice is the usual one.
  const forms = [
    [f - h, g - c, b - d, 1 + a + e + i],
    [1 + a - e - i, b + d, g + c, f - h],
    [b + d, 1 - a + e - i, f + h, g - c],
    [g + c, f + h, 1 - a - e + i, b - d]
  ];
  const best = forms[a + e + i > 0 ? 0 : a > e && a > i ? 1 : e > i ? 2 : 3];
  return { translation: m[3], rotation: normalize(best), scale };
}

export class Evaluation {
  constructor(file) {
    this.gltf = readGltf(file);
    this.nodes = this.gltf.json.nodes || [];
    this.parents = new Array(this.nodes.length).fill(-1);
    this.nodes.forEach((node, i) => (node.children || []).forEach(child => { this.parents[child] = i; }));
    this.animations = (this.gltf.json.animations || []).map(animation => animation.channels
      .filter(({ target }) => target.node !== undefined)
      .map(({ sampler, target }) => ({
        node: target.node,
        path: target.path,
        isRotation: target.path === 'rotation',
        interpolation: animation.samplers[sampler].interpolation || 'LINEAR',
        times: readAccessor(this.gltf, animation.samplers[sampler].input),
        values: readAccessor(this.gltf, animation.samplers[sampler].output)
      })));
  }

  // World matrices of all nodes and the driven morph weights; without an animation the rest pose.
  pose(animation, time) {
    const local = this.nodes.map(node => {
      if (!node.matrix) {
        return {
          translation: node.translation || [0, 0, 0],
          rotation: node.rotation || [0, 0, 0, 1],
          scale: node.scale || [1, 1, 1]
        };
      }
      return decompose([0, 1, 2, 3].map(i => node.matrix.slice(4 * i, 4 * i + 3)));
    });
    const weights = {};
    for (const channel of animation === undefined ? [] : this.animations[animation]) {
      const value = evaluate(channel, time);
      if (channel.path === 'weights') weights[channel.node] = value;
      else local[channel.node][channel.path] = value;
    }
    const world = [];
    const worldOf = i => {
      if (!world[i]) {
        const matrix = compose(local[i]);
        world[i] = this.parents[i] < 0 ? matrix : multiply(worldOf(this.parents[i]), matrix);
      }
      return world[i];
    };
    this.nodes.forEach((_, i) => worldOf(i));
    return { world, weights };
  }
}

function rotationAngle(a, b) {
  if (a === null || b === null) return 0;
  const sign = a.reduce((sum, x, i) => sum + x * b[i], 0) < 0 ? -1 : 1;
  return 4 * Math.asin(Math.min(1, Math.hypot(...a.map((x, i) => x - sign * b[i])) / 2));
}

function distance(a, b) {
  const d = Math.hypot(...a.map((x, i) => x - b[i]));
  return a.includes(null) || Number.isNaN(d) ? Infinity : d;
}

// The largest differences between one file's entry in OUT.json and this evaluation.
export function compareFile(file, entry) {
  const evaluation = new Evaluation(file);
  const worst = { position: 0, rotation: 0, scale: 0, weight: 0 };
  const see = (kind, value) => { worst[kind] = Math.max(worst[kind], value); };
  const compare = ({ world }, nodes, positions, rotations, scales) => nodes.forEach((node, i) => {
    const own = decompose(world[node]);
    see('position', distance(positions[i], own.translation) / entry.height);
    if (!rotations) return;
    see('rotation', rotationAngle(rotations[i], own.rotation));
    see('scale', distance(scales[i], own.scale) / Math.max(1, ...own.scale.map(Math.abs)));
  });

  const { rest } = entry;
  compare(evaluation.pose(), rest.nodes, rest.positions, rest.rotations, rest.scales);
  for (const clip of entry.clips) {
    clip.times.forEach((time, k) => {
      const pose = evaluation.pose(clip.animation, time);
      compare(pose, clip.nodes, clip.positions[k], clip.rotations?.[k], clip.scales?.[k]);
      for (const [node, rows] of Object.entries(clip.morphs)) {
        see('weight', distance(rows[k], pose.weights[node]));
      }
    });
  }
  return worst;
}

function main(args) {
  let root = '.', tolerance = 1e-5;
  while (args.length > 1 && args[0].startsWith('--')) {
    const option = args.shift();
    if (option === '--root') root = args.shift();
    else if (option === '--tolerance') tolerance = Number(args.shift());
    else args.length = 0;
  }
  if (args.length !== 1) {
    console.error('usage: node check.mjs [--root DIR] [--tolerance X] OUT.json');
    process.exit(2);
  }
  let above = 0;
  for (const [name, entry] of Object.entries(JSON.parse(fs.readFileSync(args[0], 'utf8')).files)) {
    if (entry.error) continue;
    let worst;
    try {
      worst = compareFile(path.join(root, name), entry);
    } catch (error) {
      console.log(`${name}: not evaluated: ${error.message}`);
      continue;
    }
    const bad = Object.values(worst).some(value => !(value <= tolerance));
    if (bad) above++;
    console.log(`${bad ? 'DIFFERENT ' : ''}${name}: ` +
      Object.entries(worst).map(([kind, value]) => `${kind} ${value.toExponential(1)}`).join(', '));
  }
  console.log(`${above} files differ by more than ${tolerance}`);
  process.exitCode = above > 0 ? 1 : 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  main(process.argv.slice(2));
}
