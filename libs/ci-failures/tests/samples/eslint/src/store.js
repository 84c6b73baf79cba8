export function read(key) {
  const unused = 1;
  if (key == 'gone') return missing
  console.log('  4:1  error  is no problem  semi');
  return key;
}
