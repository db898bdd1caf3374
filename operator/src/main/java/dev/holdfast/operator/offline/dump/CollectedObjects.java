package dev.holdfast.operator.offline.dump;

import com.fasterxml.jackson.core.JsonParser;
import dev.holdfast.operator.decode.ClaimDecoder;
import dev.holdfast.operator.offline.dump.admission.Admission;
import dev.holdfast.operator.offline.dump.selectors.ReadSelectors;
import dev.holdfast.operator.offline.dump.text.WrongDumpException;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The decoded objects of dumps by kind and name. Of an object that is there more than once, the last one counts. */
final class CollectedObjects {
    private final Map<Key, Read> objects = new LinkedHashMap<>();
    private final Map<String, NamespacedName> uids = new HashMap<>();

    /** Kind and name of an object. */
    record Key(String kind, String namespace, String name) {
        NamespacedName namespacedName() {
            return new NamespacedName(namespace, name);
        }
    }

    /**
     * An object that was read.
     *
     * @param uid the UID in the dump; empty if the dump has none
     * @param stream the number of the text that has the object outside a list; 0 if it is in a list
     */
    record Read(ReadKind kind, ReadObject object, String uid, int stream) {
        /** {@return whether this is a later state of the other object, in what {@code kubectl get -w} printed} */
        private boolean continues(Read other) {
            return stream > 0 && stream == other.stream && !uid.isEmpty() && uid.equals(other.uid);
        }
    }

    /**
     * Adds an object.
     *
     * @param json is at the end of the object
     * @return whether the object was there before with other content, and this is no later state of it
     */
    boolean add(JsonParser json, Key key, Read read) throws WrongDumpException {
        requireOwnUid(json, read.object());
        Read other = objects.put(key, read);
        if (other == null) {
            return false;
        }
        requireOneCluster(json, key, read, other);
        return !read.continues(other) && !read.object().equals(other.object());
    }

    void remove(Key key) {
        Read removed = objects.remove(key);
        if (removed != null && removed.object() instanceof ReadObject.Fact(ClusterEvent.PodChanged(Pod pod))) {
            uids.remove(pod.uid());
        }
    }

    /** Refuses two pods with one UID, because pods are told apart by their UIDs. */
    private void requireOwnUid(JsonParser json, ReadObject object) throws WrongDumpException {
        if (object instanceof ReadObject.Fact(ClusterEvent.PodChanged(Pod pod))) {
            NamespacedName other = uids.putIfAbsent(pod.uid(), pod.name());
            if (other != null && !other.equals(pod.name())) {
                throw new WrongDumpException(
                        "the pods " + other + " and " + pod.name() + " have the same UID " + pod.uid(),
                        json.currentLocation());
            }
        }
    }

    /** Refuses objects of several clusters: a node or a namespace keeps its UID as long as it exists. */
    private static void requireOneCluster(JsonParser json, Key key, Read read, Read other) throws WrongDumpException {
        if (read.kind().scope() == ReadKind.Scope.CLUSTER
                && !read.uid().isEmpty()
                && !other.uid().isEmpty()
                && !read.uid().equals(other.uid())) {
            throw new WrongDumpException(
                    key.kind() + " " + key.name() + " is there twice, with the UIDs " + other.uid() + " and "
                            + read.uid() + ": give the objects of one cluster at one time",
                    json.currentLocation());
        }
    }

    /** {@return the objects that verdicts or plans depend on, in the order of their kinds} */
    List<ClusterEvent> facts() {
        return objects.values().stream()
                .sorted(Comparator.comparingInt(read -> read.kind().order()))
                .map(Read::object)
                .flatMap(object -> switch (object) {
                    case ReadObject.Fact(ClusterEvent event) -> Stream.of(event);
                    case ReadObject.Selecting(ClusterEvent event, var _) -> Stream.of(event);
                    case ReadObject.Selector _, ReadObject.OfStorage _ -> Stream.empty();
                })
                .toList();
    }

    /** {@return the objects that say where volumes can be used, as an API server stores them} */
    DumpedVolumes volumes(Admission admission) {
        DumpedVolumes volumes = new DumpedVolumes();
        objects.entrySet().stream()
                .sorted(Comparator.comparingInt(read -> read.getValue().kind().order()))
                .forEach(read -> {
                    NamespacedName name = read.getKey().namespacedName();
                    switch (read.getValue().object()) {
                        case ReadObject.Fact(ClusterEvent.PodChanged(Pod pod)) -> volumes.see(pod);
                        case ReadObject.Fact _, ReadObject.Selecting _, ReadObject.Selector _ -> {}
                        case ReadObject.Claim(ClaimDecoder.Claim claim) ->
                            volumes.add(name, new ReadObject.Claim(admission.admitted(name, claim)));
                        case ReadObject.OfStorage storage -> volumes.add(name, storage);
                    }
                });
        return volumes;
    }

    /** {@return by which labels Services and controllers select pods} */
    ReadSelectors selectors() {
        ReadSelectors selectors = new ReadSelectors();
        objects.values().forEach(read -> {
            switch (read.object()) {
                case ReadObject.Selecting(var _, var selection) ->
                    selectors.add(read.kind().kind(), selection);
                case ReadObject.Selector(var selection) ->
                    selectors.add(read.kind().kind(), selection);
                case ReadObject.Fact _, ReadObject.OfStorage _ -> {}
            }
        });
        return selectors;
    }

    /** {@return how many objects of each kind there are} */
    Map<String, Integer> counts() {
        Map<String, Integer> counts = new TreeMap<>();
        objects.keySet().forEach(key -> counts.merge(key.kind(), 1, Integer::sum));
        return counts;
    }
}
