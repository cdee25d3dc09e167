// Samples every animation of glTF files with three.js and writes the poses as JSON.
//
//   node sample.mjs [--root DIR] [--positions-only] OUT.json FILE...
//
// See README.md for the layout of OUT.json.

import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  AnimationMixer, Group, LoopOnce, MeshBasicMaterial, PropertyBinding, Quaternion, Vector3
} from 'three';
import { GLTFLoader } from 'three/examples/jsm/loaders/GLTFLoader.js';

export const SAMPLES = 20;

// Sample times over [0, duration]: both ends, and interior times moved off the even grid by a
// fixed pattern. All are float32 values, so that a reader working in float32 sees the same times.
export function sampleTimes(duration) {
  const last = SAMPLES - 1;
  const times = [];
  for (let i = 0; i <= last; i++) {
    const golden = (i * 0.6180339887498949) % 1;
    const offset = i === 0 || i === last ? 0 : (golden - 0.5) * 0.7;
    times.push(Math.fround(duration * ((i + offset) / last)));
  }
  return times;
}

// Nine significant digits keep a float32 exact. (Times are written in full: a time that is rounded
// even by less than a float32 can fall on the other side of a STEP key.)
function number(x) {
  return Number.isFinite(x) ? Number(x.toPrecision(9)) + 0 : null;
}

function toArrayBuffer(buffer) {
  const copy = new Uint8Array(buffer.length);
  copy.set(buffer);
  return copy.buffer;
}

// What GLTFLoader uses of FileLoader, for data: URIs and files beside the glTF file.
function localFileLoader(directory) {
  return {
    setRequestHeader() {},
    load(uri, onLoad, onProgress, onError) {
      let data;
      try {
        if (/^data:/i.test(uri)) {
          const comma = uri.indexOf(',');
          if (comma < 0) throw new Error('data: URI without a comma');
          const body = decodeURIComponent(uri.slice(comma + 1));
          data = Buffer.from(body, /;base64$/i.test(uri.slice(0, comma)) ? 'base64' : 'latin1');
        } else if (/^[a-z][a-z0-9+.-]+:/i.test(uri)) {
          throw new Error('not a local file: ' + uri);
        } else {
          data = fs.readFileSync(path.join(directory, decodeURIComponent(uri)));
        }
      } catch (error) {
        onError(error);
        return;
      }
      onLoad(toArrayBuffer(data));
    }
  };
}

// GLTFLoader plugin: reads buffers from disk, skips materials and images, remembers which object
// is which glTF node, and names the target of each track by the object's uuid instead of its name.
// three makes node names unique, but not always ("A", "A", "A_1" becomes "A", "A_1", "A_1"); a uuid
// can only be found on the right object.
function referencePlugin(directory, record) {
  return parser => {
    parser.fileLoader = localFileLoader(directory);

    const loadNodeShallow = parser._loadNodeShallow;
    parser._loadNodeShallow = function (nodeIndex) {
      return loadNodeShallow.call(this, nodeIndex).then(object => {
        record.indexOf.set(object, nodeIndex);
        return object;
      });
    };

    const createAnimationTracks = parser._createAnimationTracks;
    parser._createAnimationTracks = function (node, input, output, sampler, target) {
      const own = [node, ...node.children.filter(child => !record.indexOf.has(child))];
      const named = [node, ...node.children];
      const names = named.map(object => object.name);
      named.forEach(object => { object.name = ''; });
      let tracks;
      try {
        tracks = createAnimationTracks.call(this, node, input, output, sampler, target);
      } finally {
        named.forEach((object, i) => { object.name = names[i]; });
      }
      return tracks.filter(track => {
        const [uuid, property] = track.name.split('.');
        const object = own.find(candidate => candidate.uuid === uuid);
        if (object) record.targets.set(track, { object, property });
        else record.messages.push(`three also drives ${property} of a child of node ${target.node}; that track is left out`);
        return object !== undefined;
      });
    };

    return {
      name: 'SINEW_reference',
      loadMaterial: () => Promise.resolve(new MeshBasicMaterial())
    };
  };
}

// three's own binding, by name below the default scene: a message when it misses the target.
function checkNameBinding(scene, animation, record, clip) {
  for (const track of clip.tracks) {
    const { object, property } = record.targets.get(track);
    const name = object.name || object.uuid;
    const found = scene && PropertyBinding.findNode(scene, PropertyBinding.parseTrackName(`${name}.${property}`).nodeName);
    if (found !== object) {
      const owner = indexOfOwner(object, record);
      const other = found ? `node ${indexOfOwner(found, record)}` : 'nothing';
      record.messages.push(`animation ${animation}: by name three binds ${property} of node ${owner} to ${other}; bound to node ${owner} here`);
    }
  }
}

// Two things that three and the specification see differently.
function checkTracks(animation, record, clip) {
  const seen = new Set();
  for (const track of clip.tracks) {
    const { object, property } = record.targets.get(track);
    const owner = indexOfOwner(object, record);
    const key = `${object.uuid}.${property}`;
    if (seen.has(key)) {
      record.messages.push(`animation ${animation}: several channels drive ${property} of node ${owner}; three averages them`);
    }
    seen.add(key);
    if (property !== 'quaternion') continue;
    const cubic = track.createInterpolant.isInterpolantFactoryMethodGLTFCubicSpline === true;
    for (let i = cubic ? 4 : 0; i + 4 <= track.values.length; i += cubic ? 12 : 4) {
      const length = Math.hypot(...track.values.slice(i, i + 4));
      if (Math.abs(length - 1) <= 1e-5) continue;
      record.messages.push(`animation ${animation}: rotation keys of node ${owner} are not of unit length; three does not normalize them`);
      break;
    }
  }
}

function indexOfOwner(object, record) {
  while (object && !record.indexOf.has(object)) object = object.parent;
  return object ? record.indexOf.get(object) : -1;
}

async function load(file, record) {
  const loader = new GLTFLoader();
  loader.register(referencePlugin(path.dirname(file), record));
  const gltf = await loader.parseAsync(toArrayBuffer(fs.readFileSync(file)), '');
  gltf.animations.forEach((clip, i) => {
    checkNameBinding(gltf.scene, i, record, clip);
    checkTracks(i, record, clip);
  });

  // Every node of the file below one identity root, whether or not a scene lists it.
  const root = new Group();
  const nodes = [];
  for (let i = 0; i < (gltf.parser.json.nodes || []).length; i++) {
    nodes.push(await gltf.parser.getDependency('node', i));
  }
  for (const node of nodes) {
    if (!node.parent || !record.indexOf.has(node.parent)) root.add(node);
  }
  return { gltf, root, nodes };
}

function influencesOf(node, record) {
  if (node.morphTargetInfluences) return node.morphTargetInfluences;
  const child = node.children.find(c => !record.indexOf.has(c) && c.morphTargetInfluences);
  return child && child.morphTargetInfluences;
}

const position = new Vector3();
const rotation = new Quaternion();
const scale = new Vector3();
const columns = [new Vector3(), new Vector3(), new Vector3()];

// Whether a matrix is a rotation times a scale, so that its rotation means something. With
// non-uniform scales above a rotated node the world matrix is sheared.
function hasRotation(matrix) {
  columns.forEach((column, i) => column.setFromMatrixColumn(matrix, i));
  const lengths = columns.map(column => column.length());
  return lengths.every(length => length > 0) && [[0, 1], [0, 2], [1, 2]].every(([i, j]) =>
    Math.abs(columns[i].dot(columns[j])) <= 1e-4 * lengths[i] * lengths[j]);
}

function readPose(nodes, selected, out, positionsOnly) {
  const positions = [], rotations = [], scales = [];
  for (const index of selected) {
    const world = nodes[index].matrixWorld;
    position.setFromMatrixPosition(world);
    positions.push(position.toArray().map(number));
    if (positionsOnly) continue;
    if (hasRotation(world)) {
      world.decompose(position, rotation, scale);
      rotations.push(rotation.normalize().toArray().map(number));
      scales.push(scale.toArray().map(number));
    } else {
      // The lengths of the columns, as decompose() gives them where it can.
      const mirrored = world.determinant() < 0 ? -1 : 1;
      rotations.push(null);
      scales.push(columns.map((column, i) => number(column.length() * (i === 0 ? mirrored : 1))));
    }
  }
  out.positions.push(positions);
  if (!positionsOnly) {
    out.rotations.push(rotations);
    out.scales.push(scales);
  }
}

function newPoses(positionsOnly) {
  return positionsOnly ? { positions: [] } : { positions: [], rotations: [], scales: [] };
}

function extent(points) {
  let largest = 0;
  for (let axis = 0; axis < 3; axis++) {
    const values = points.map(p => p[axis]).filter(Number.isFinite);
    if (values.length > 0) largest = Math.max(largest, Math.max(...values) - Math.min(...values));
  }
  return largest;
}

function sampleClip(clip, animation, root, nodes, selected, json, record, positionsOnly) {
  const times = sampleTimes(clip.duration);
  const poses = newPoses(positionsOnly);
  const morphs = {};
  const morphNodes = new Set((json.animations[animation].channels || [])
    .filter(c => c.target && c.target.path === 'weights' && nodes[c.target.node])
    .map(c => c.target.node));
  for (const node of [...morphNodes].sort((a, b) => a - b)) {
    if (influencesOf(nodes[node], record)) morphs[node] = [];
  }

  const mixer = new AnimationMixer(root);
  const action = mixer.clipAction(clip);
  action.setLoop(LoopOnce, 1);
  action.clampWhenFinished = true;
  action.play();
  for (const time of times) {
    action.paused = false;
    mixer.setTime(time);
    if (action.time !== time) throw new Error(`three sampled ${action.time} instead of ${time}`);
    root.updateMatrixWorld(true);
    readPose(nodes, selected, poses, positionsOnly);
    for (const node of Object.keys(morphs)) {
      morphs[node].push(Array.from(influencesOf(nodes[node], record), number));
    }
  }
  mixer.stopAllAction();

  return {
    animation,
    name: json.animations[animation].name ?? '',
    duration: clip.duration,
    times,
    nodes: selected,
    ...poses,
    morphs
  };
}

// Local state of all objects, to start each clip from the file's own values.
function saveRest(root) {
  const saved = [];
  root.traverse(object => saved.push([
    object, object.position.clone(), object.quaternion.clone(), object.scale.clone(),
    object.morphTargetInfluences && object.morphTargetInfluences.slice()
  ]));
  return () => {
    for (const [object, p, q, s, weights] of saved) {
      object.position.copy(p);
      object.quaternion.copy(q);
      object.scale.copy(s);
      if (weights) weights.forEach((w, i) => { object.morphTargetInfluences[i] = w; });
    }
    root.updateMatrixWorld(true);
  };
}

// The sampled poses of one file; throws where three cannot load it.
async function sampleLoaded(file, record, positionsOnly) {
  const { gltf, root, nodes } = await load(file, record);
  const json = gltf.parser.json;
  const joints = [...new Set((json.skins || []).flatMap(skin => skin.joints))].sort((a, b) => a - b);
  const selected = joints.length > 0 ? joints : nodes.map((_, i) => i);

  const restore = saveRest(root);
  restore();
  const restPoses = newPoses(positionsOnly);
  readPose(nodes, selected, restPoses, positionsOnly);
  const rest = { nodes: selected };
  for (const key of Object.keys(restPoses)) rest[key] = restPoses[key][0];

  const clips = [];
  gltf.animations.forEach((clip, i) => {
    restore();
    clips.push(sampleClip(clip, i, root, nodes, selected, json, record, positionsOnly));
  });
  const height = extent(rest.positions)
    || extent(clips.flatMap(clip => clip.positions.flat()))
    || 1;
  return { height: number(height), rest, clips };
}

export async function sampleFile(file, { positionsOnly = false } = {}) {
  const record = { indexOf: new Map(), targets: new Map(), messages: [] };
  const original = { warn: console.warn, error: console.error };
  console.warn = console.error = (...parts) => {
    record.messages.push(parts.filter(part => typeof part !== 'object').join(' '));
  };
  let result;
  try {
    result = await sampleLoaded(file, record, positionsOnly);
  } catch (error) {
    // The text of JSON syntax errors depends on the version of node.
    result = { error: error instanceof SyntaxError ? 'SyntaxError: not valid JSON' : String(error) };
  } finally {
    Object.assign(console, original);
  }
  const messages = [...new Set(record.messages)]
    .map(text => text.replace(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/gi, '(uuid)'));
  if (messages.length > 0) result.messages = [...new Set(messages)];
  return result;
}

function filesBelow(name) {
  if (!fs.statSync(name).isDirectory()) return [name];
  return fs.readdirSync(name).flatMap(entry => {
    const child = path.join(name, entry);
    return fs.statSync(child).isDirectory() || /\.(glb|gltf)$/i.test(entry) ? filesBelow(child) : [];
  });
}

function usage() {
  console.error('usage: node sample.mjs [--root DIR] [--positions-only] OUT.json FILE...');
  process.exit(2);
}

async function main(args) {
  let root = '.';
  let positionsOnly = false;
  while (args.length > 0 && args[0].startsWith('--')) {
    const option = args.shift();
    if (option === '--root' && args.length > 0) root = args.shift();
    else if (option === '--positions-only') positionsOnly = true;
    else usage();
  }
  if (args.length < 2) usage();
  const [out, ...names] = args;

  const files = new Map();
  for (const name of names.flatMap(filesBelow)) {
    files.set(path.relative(root, name).split(path.sep).join('/'), name);
  }
  const keys = [...files.keys()].sort();

  const descriptor = fs.openSync(out, 'w');
  const entry = pathToFileURL(createRequire(import.meta.url).resolve('three'));
  const { version } = JSON.parse(fs.readFileSync(new URL('../package.json', entry), 'utf8'));
  fs.writeSync(descriptor, `{"three":${JSON.stringify(version)},"files":{`);
  let clips = 0, failed = 0;
  for (const [i, key] of keys.entries()) {
    const result = await sampleFile(files.get(key), { positionsOnly });
    fs.writeSync(descriptor, `${i === 0 ? '' : ','}\n${JSON.stringify(key)}:${JSON.stringify(result)}`);
    if (result.error) {
      failed++;
      console.log(`${key}: error: ${result.error}`);
    } else {
      clips += result.clips.length;
    }
  }
  fs.writeSync(descriptor, '\n}}\n');
  fs.closeSync(descriptor);
  console.log(`${keys.length} files, ${clips} clips, ${failed} not loaded by three`);
}

// A malformed file can leave rejected promises of the loader that nothing waits for.
process.on('unhandledRejection', () => {});

if (process.argv[1] && import.meta.url === pathToFileURL(fs.realpathSync(process.argv[1])).href) {
  await main(process.argv.slice(2));
}
