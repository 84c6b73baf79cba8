int shared_counter = 2;
