package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The storage of a simulated API server: objects as JSON. A follower receives each change. */
final class ObjectStore {
    private final InstantSource clock;
    private final Follower follower;
    private final NavigableMap<Key, ObjectNode> objects = new TreeMap<>();
    private long version;

    /** A receiver of changes. */
    interface Follower {
        /** An object was created or changed. */
        void changed(ObjectNode object);

        /** An object was deleted. */
        void gone(ObjectNode object);
    }

    /** The identity of an object; the namespace is empty for cluster-scoped kinds. */
    record Key(String kind, String namespace, String name) implements Comparable<Key> {
        private static final Comparator<Key> ORDER =
                Comparator.comparing(Key::kind).thenComparing(Key::namespace).thenComparing(Key::name);

        static Key of(ObjectNode object) {
            return new Key(
                    object.path("kind").asText(),
                    object.path("metadata").path("namespace").asText(""),
                    object.path("metadata").path("name").asText());
        }

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    ObjectStore(InstantSource clock, Follower follower) {
        this.clock = clock;
        this.follower = follower;
    }

    /** Creates or replaces an object; a new one gets a UID and a creation timestamp. */
    void put(ObjectNode object) {
        Key key = Key.of(object);
        ObjectNode metadata = object.withObjectProperty("metadata");
        metadata.put("resourceVersion", Long.toString(++version));
        Optional<ObjectNode> known = find(key);
        if (known.isPresent()) {
            metadata.set("uid", known.get().path("metadata").path("uid"));
            metadata.set("creationTimestamp", known.get().path("metadata").path("creationTimestamp"));
        } else {
            // A number instead of a random UID, so that UIDs have the same order in each run.
            metadata.put("uid", String.format(Locale.ROOT, "uid-%06d", version));
            metadata.put(
                    "creationTimestamp",
                    clock.instant().truncatedTo(ChronoUnit.SECONDS).toString());
        }
        objects.put(key, object);
        follower.changed(object);
    }

    /** Edits an existing object. */
    void edit(ObjectNode object, Consumer<ObjectNode> edit) {
        edit.accept(object);
        put(object);
    }

    void remove(ObjectNode object) {
        objects.remove(Key.of(object));
        follower.gone(object);
    }

    Optional<ObjectNode> find(Key key) {
        return Optional.ofNullable(objects.get(key));
    }

    /** {@return the objects of a kind, sorted by namespace and name} */
    List<ObjectNode> all(String kind) {
        return new ArrayList<>(objects.subMap(new Key(kind, "", ""), new Key(kind + "\0", "", ""))
                .values());
    }
}
