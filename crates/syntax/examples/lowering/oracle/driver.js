// Runs programs and prints what can be seen of each: calls of functions from outside and every use of a traced object.
// Input: for each program a line with its tape and its text, ended by a line with a 1 as a byte. Output likewise.
'use strict';
const LIMIT = 300;
// What belongs to the program that runs. What is left of an earlier one shows nowhere.
let at;

function show(value) {
  // The source of a function is not the core's.
  if (typeof value === 'string') return /[({]/.test(value) ? 'source' : JSON.stringify(value);
  if (typeof value === 'symbol') return 'symbol';
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) {
    return Object.is(value, -0) ? '0' : String(value);
  }
  const number = at.traced.get(value);
  if (number !== undefined) return '#' + number;
  if (value instanceof ReferenceError) at.events.push('invalid name');
  if (value instanceof Error) return value.name;
  if (Array.isArray(value)) return value.raw ? 'strings' : 'list';
  if (typeof value === 'function') return 'function';
  return value instanceof Promise ? 'promise' : 'object';
}
class Stop extends Error {}
function emit(text) {
  if (at.over || at.events.length >= LIMIT) {
    at.over = true;
    throw new Stop();
  }
  at.events.push(text);
}
function draw() {
  return at.tape.length ? at.tape.shift() : 0;
}
const ANSWERS = [undefined, true, false, null, 0, 1, 'x'];
// Functions from outside, for one program.
function world(own) {
  const shown = (name, args) => {
    if (own !== at) throw new Stop();
    emit(`${name}(${args.map(show).join(', ')})`);
  };
  return {
    t(...args) {
      shown('t', args);
    },
    q(...args) {
      shown('q', args);
      return ANSWERS[draw() % ANSWERS.length];
    },
    r(...args) {
      shown('r', args);
      if (draw() % 3 === 1) throw 'r';
    },
    w(...args) {
      shown('w', args);
      return new Promise((resolve, reject) => own.waiting.push([resolve, reject]));
    },
    $end(value) {
      if (own === at) emit(`end ${show(value)}`);
    },
    $raise(value) {
      if (own === at) emit(`raise ${show(value)}`);
    },
    $o,
    $B,
  };
}
function memberOf(target, key) {
  for (let found = target; found; found = Object.getPrototypeOf(found)) {
    const member = Object.getOwnPropertyDescriptor(found, key);
    if (member) return member;
  }
}
// `super.x = v` asks the object for its own member and then defines it; a field is defined at once.
let asked;
function told(word, target, key, value) {
  asked = undefined;
  const number = at.traced.get(target);
  // What is left of an earlier program.
  if (number === undefined) throw new Stop();
  if (typeof key === 'symbol') return;
  emit(`${word} #${number}.${key}${value ? ' = ' + show(value[0]) : ''}`);
}
const TRAPS = {
  get(target, key, receiver) {
    told('get', target, key);
    return Reflect.get(target, key, receiver);
  },
  set(target, key, value, receiver) {
    told('set', target, key, [value]);
    const found = memberOf(target, key);
    if (found && !('value' in found)) {
      if (!found.set) return false;
      found.set.call(receiver, value);
      return true;
    }
    return Reflect.set(target, key, value);
  },
  getOwnPropertyDescriptor(target, key) {
    asked = key;
    return Reflect.getOwnPropertyDescriptor(target, key);
  },
  defineProperty(target, key, found) {
    if (asked !== key) told('define', target, key, [found.value]);
    asked = undefined;
    return Reflect.defineProperty(target, key, found);
  },
  has(target, key) {
    told('has', target, key);
    return Reflect.has(target, key);
  },
  deleteProperty(target, key) {
    told('delete', target, key);
    return Reflect.deleteProperty(target, key);
  },
};
function $o(object) {
  const proxy = new Proxy(object, TRAPS);
  const number = ++at.size;
  at.traced.set(object, number).set(proxy, number);
  return proxy;
}
class $B {
  constructor() {
    return $o(this);
  }
}
async function run(program) {
  const end = program.indexOf('\n');
  const tape = program.slice(0, end).split(' ').filter(Boolean).map(Number);
  const own = { events: [], over: false, size: 0, traced: new WeakMap(), waiting: [], tape };
  at = own;
  const outside = world(own);
  try {
    new Function(...Object.keys(outside), `'use strict';${program.slice(end)}`)(...Object.values(outside));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ReferenceError) own.events.push(`invalid ${error.message}`);
    else if (!(error instanceof Stop)) {
      try {
        outside.$raise(error);
      } catch {}
    }
  }
  for (let turn = 0; turn < 60; turn++) {
    await new Promise(setImmediate);
    const next = own.waiting.shift();
    if (!next || own.over) break;
    const answer = draw();
    try {
      emit('settle');
    } catch {
      break;
    }
    if (answer % 4 === 3) next[1]('w');
    else next[0](ANSWERS[answer % ANSWERS.length]);
  }
  await new Promise(setImmediate);
  if (own.over) own.events.push('over');
  return own.events.join('\n');
}
process.on('unhandledRejection', () => {});
(async () => {
  const programs = require('fs').readFileSync(0, 'utf8').split('\n\u0001\n');
  programs.pop();
  for (const program of programs) {
    process.stdout.write((await run(program)) + '\n\u0001\n');
  }
})();
