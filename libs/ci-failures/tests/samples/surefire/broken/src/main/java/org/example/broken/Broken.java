package org.example.broken;

import java.util.List;
import org.example.missing.Gone;

public class Broken {
    int wrong = "text";

    List<String> names() {
        return undefined;
    }

    void calls() {
	Gone.now(1,
            2);
        unknown("error: it is only a text");
    }
}
