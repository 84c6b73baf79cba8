export default { testDir: './broken' };
