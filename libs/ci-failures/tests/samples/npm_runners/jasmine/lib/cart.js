exports.total = (items) => {
  if (!items) throw new TypeError('no items');
  return items.length;
};
