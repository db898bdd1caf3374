package dev.holdfast.operator.dump;

import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Owner;
import java.util.Optional;

/** Reads the pod management policy of a StatefulSet, which only simulations ask for. */
final class PodManagement {
    private static final int SPEC = 2;

    /** In the spec. */
    private static final int POD_MANAGEMENT_POLICY = 6;

    private PodManagement() {}

    /** {@return the UID of a StatefulSet that creates and ends all its pods at once; empty for all other objects} */
    static Optional<String> parallel(ReadObject read, ByteSlice object) throws MalformedException {
        return read instanceof ReadObject.Fact(ClusterEvent.OwnerChanged(Owner owner))
                        && owner.kind().equals("StatefulSet")
                        && isParallel(object)
                ? Optional.of(owner.uid())
                : Optional.empty();
    }

    /** {@return whether the field says Parallel; without it, pods are created one after the other} */
    private static boolean isParallel(ByteSlice statefulSet) throws MalformedException {
        ProtoReader reader = new ProtoReader();
        reader.open(statefulSet);
        while (reader.next()) {
            if (reader.field() == SPEC) {
                int outer = reader.enter();
                while (reader.next()) {
                    if (reader.field() == POD_MANAGEMENT_POLICY) {
                        return reader.string().equals("Parallel");
                    }
                    reader.skip();
                }
                reader.leave(outer);
            } else {
                reader.skip();
            }
        }
        return false;
    }
}
