// node --test: sample.mjs on small files written here, against known poses and against check.mjs.

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { compareFile } from './check.mjs';
import { SAMPLES, sampleFile, sampleTimes } from './sample.mjs';

const directory = fs.mkdtempSync(path.join(os.tmpdir(), 'sinew-reference-'));
test.after(() => fs.rmSync(directory, { recursive: true }));

// Collects float accessors into one buffer with a data: URI.
class Builder {
  constructor() {
    this.floats = [];
    this.accessors = [];
    this.animations = [];
  }

  accessor(type, values) {
    const size = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    this.accessors.push({
      bufferView: 0, byteOffset: 4 * this.floats.length, componentType: 5126, type, count: values.length / size,
      min: new Array(size).fill(-100), max: new Array(size).fill(100)
    });
    this.floats.push(...values);
    return this.accessors.length - 1;
  }

  // channels: [node, path, times, values, interpolation]
  animation(...channels) {
    const types = { translation: 'VEC3', scale: 'VEC3', rotation: 'VEC4', weights: 'SCALAR' };
    this.animations.push({
      channels: channels.map(([node, property], i) => ({ sampler: i, target: { node, path: property } })),
      samplers: channels.map(([, property, times, values, interpolation = 'LINEAR']) => ({
        input: this.accessor('SCALAR', times), output: this.accessor(types[property], values), interpolation
      }))
    });
  }

  write(name, rest) {
    const data = Buffer.from(new Float32Array(this.floats).buffer);
    const uri = 'data:application/octet-stream;base64,' + data.toString('base64');
    const file = path.join(directory, name + '.gltf');
    fs.writeFileSync(file, JSON.stringify({
      asset: { version: '2.0' }, buffers: [{ uri, byteLength: data.length }],
      bufferViews: [{ buffer: 0, byteLength: data.length }],
      accessors: this.accessors, animations: this.animations, ...rest
    }));
    return file;
  }
}

// The sampled file, which must agree with the second evaluation.
async function sampled(file) {
  const result = await sampleFile(file);
  assert.equal(result.error, undefined);
  for (const [kind, value] of Object.entries(compareFile(file, result))) {
    assert.ok(value < 1e-6, `${kind} differs by ${value}`);
  }
  return result;
}

function near(actual, expected) {
  actual.forEach((x, i) => assert.ok(Math.abs(x - expected[i]) < 1e-6, `${actual} is not ${expected}`));
}

test('times cover the clip, are float32 and increase', () => {
  const times = sampleTimes(Math.fround(1.7));
  assert.equal(times.length, SAMPLES);
  assert.equal(times[0], 0);
  assert.equal(times[SAMPLES - 1], Math.fround(1.7));
  times.forEach((t, i) => {
    assert.equal(t, Math.fround(t));
    assert.ok(i === 0 || t > times[i - 1]);
  });
});

test('tracks reach their node when names repeat', async () => {
  const builder = new Builder();
  builder.animation(
    [0, 'translation', [0, 1], [0, 0, 0, 1, 0, 0]],
    [1, 'translation', [0, 1], [0, 0, 0, 2, 0, 0]],
    [2, 'translation', [0, 1], [0, 0, 0, 3, 0, 0]]);
  const { clips, messages } = await sampled(builder.write('names', {
    nodes: [{ name: 'A' }, { name: 'A' }, { name: 'A_1' }], scenes: [{ nodes: [0, 1, 2] }], scene: 0
  }));
  near(clips[0].positions.at(-1).map(p => p[0]), [1, 2, 3]);
  assert.deepEqual(messages, ['animation 0: by name three binds position of node 2 to node 1; bound to node 2 here']);
});

test('nodes outside the default scene are sampled', async () => {
  const builder = new Builder();
  builder.animation([1, 'translation', [0, 1], [0, 0, 0, 0, 4, 0]]);
  const { clips } = await sampled(builder.write('scenes', {
    nodes: [{ name: 'root', children: [1] }, { name: 'child' }, { name: 'loose', translation: [7, 0, 0] }],
    scenes: [{ nodes: [0] }, { nodes: [0] }], scene: 1
  }));
  near(clips[0].positions.at(-1).flat(), [0, 0, 0, 0, 4, 0, 7, 0, 0]);
});

test('the first key holds before its time, each interpolation in between', async () => {
  const builder = new Builder();
  const cubic = [0, 0, 0, 1, 0, 0, 5, 0, 0, 3, 0, 0, 2, 0, 0, 0, 0, 0];
  builder.animation(
    [0, 'translation', [0.5, 1], [1, 0, 0, 2, 0, 0], 'STEP'],
    [1, 'translation', [0.5, 1], [1, 0, 0, 2, 0, 0], 'LINEAR'],
    [2, 'translation', [0.5, 1], cubic, 'CUBICSPLINE'],
    [3, 'rotation', [0.5, 1], [0, 0, 0, 1, 0, -1, 0, 0], 'LINEAR']);
  const { clips } = await sampled(builder.write('keys', {
    nodes: [{}, {}, {}, {}], scenes: [{ nodes: [0, 1, 2, 3] }]
  }));
  const [clip] = clips;
  near(clip.positions[0].slice(0, 3).map(p => p[0]), [1, 1, 1]);
  near(clip.positions.at(-1).slice(0, 3).map(p => p[0]), [2, 2, 2]);
  const k = clip.times.findIndex(t => t > 0.7);
  const s = (clip.times[k] - 0.5) / 0.5;
  const hermite = (2 * s ** 3 - 3 * s ** 2 + 1) + 0.5 * (s ** 3 - 2 * s ** 2 + s) * 5 +
    (-2 * s ** 3 + 3 * s ** 2) * 2 + 0.5 * (s ** 3 - s ** 2) * 3;
  near(clip.positions[k].slice(0, 3).map(p => p[0]), [1, 1 + s, hermite]);
  // From no turn to a half turn about -y: at s the angle is -180 s degrees.
  near(clip.rotations[k][3], [0, -Math.sin(s * Math.PI / 2), 0, Math.cos(s * Math.PI / 2)]);
});

test('morph weights of several primitives, not of child nodes', async () => {
  const builder = new Builder();
  const position = builder.accessor('VEC3', [0, 0, 0, 1, 0, 0, 0, 1, 0]);
  const primitive = { attributes: { POSITION: position }, targets: [{ POSITION: position }, { POSITION: position }] };
  builder.animation([0, 'weights', [0, 2], [0, 1, 1, 0.5]]);
  const { clips, messages } = await sampled(builder.write('morphs', {
    meshes: [{ primitives: [primitive, { ...primitive, mode: 0 }] }, { primitives: [primitive], weights: [0.25, 0] }],
    nodes: [{ mesh: 0, children: [1] }, { mesh: 1 }], scenes: [{ nodes: [0] }]
  }));
  assert.deepEqual(Object.keys(clips[0].morphs), ['0']);
  near(clips[0].morphs[0].at(-1), [1, 0.5]);
  assert.deepEqual(messages, ['three also drives morphTargetInfluences of a child of node 0; that track is left out']);
});

test('a node without a rotation has null', async () => {
  const builder = new Builder();
  builder.animation([0, 'scale', [0, 1], [0, 0, 0, 1, 1, 1]]);
  const { clips } = await sampled(builder.write('zero', { nodes: [{}], scenes: [{ nodes: [0] }] }));
  assert.equal(clips[0].rotations[0][0], null);
  assert.deepEqual(clips[0].scales[0][0], [0, 0, 0]);
  near(clips[0].rotations.at(-1)[0], [0, 0, 0, 1]);
});

test('a file that three cannot load has an error', async () => {
  const file = path.join(directory, 'bad.gltf');
  fs.writeFileSync(file, '{ not json }');
  assert.deepEqual(await sampleFile(file), { error: 'SyntaxError: not valid JSON' });
});
