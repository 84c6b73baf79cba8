exports.read = function read(key) {
  if (key === 'gone') throw new TypeError(`no such key: ${key}`);
  return key;
};
exports.fetchAll = async function fetchAll(url) {
  await null;
  const failed = new Error('request failed');
  failed.cause = new Error(`cannot reach ${url}`);
  throw failed;
};
