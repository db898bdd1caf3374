package dev.holdfast.policies.engine.live;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The objects that each controller controls, by UID: the pods of a ReplicaSet, the ReplicaSets of a Deployment. */
final class ControlledObjects {
    /** From this number on, a set of UIDs is worth its memory: removal from a list takes longer the longer it is. */
    private static final int MANY = 100;

    private final Map<String, Collection<String>> byController = new HashMap<>();

    /**
     * Records which controller an object has now.
     *
     * @param uid the UID of the object
     * @param before the UID of the controller that it had before; absent if it had none, or did not exist
     * @param after the UID of the controller that it has now; absent if it has none, or does not exist any more
     */
    void changed(String uid, Optional<String> before, Optional<String> after) {
        // Almost no change of an object is one of its controller.
        if (!before.equals(after)) {
            before.ifPresent(controller -> byController.computeIfPresent(
                    controller, (_, uids) -> uids.remove(uid) && uids.isEmpty() ? null : uids));
            after.ifPresent(controller ->
                    byController.merge(controller, new ArrayList<>(List.of(uid)), ControlledObjects::both));
        }
    }

    private static Collection<String> both(Collection<String> uids, Collection<String> more) {
        Collection<String> all = uids.size() == MANY ? new HashSet<>(uids) : uids;
        all.addAll(more);
        return all;
    }

    /** {@return the UIDs of the objects that a controller controls, in no particular order} */
    Collection<String> of(String controller) {
        return byController.getOrDefault(controller, List.of());
    }
}
