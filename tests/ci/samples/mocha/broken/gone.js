require('./nowhere');
