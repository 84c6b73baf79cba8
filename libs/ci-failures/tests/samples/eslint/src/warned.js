console.log('only a warning');
