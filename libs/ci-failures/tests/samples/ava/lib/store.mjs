export function read(key) {
  if (key === 'gone') throw new TypeError(`no such key: ${key}`);
  return key;
}
export async function fetchAll(url) {
  await null;
  throw new Error('request failed', { cause: new Error(`cannot reach ${url}`) });
}
