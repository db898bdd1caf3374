package dev.holdfast.operator.decode;

/** Reads conditions of pods and nodes, which are alike in type (1) and status (2). */
final class Conditions {
    private static final byte[] READY = {'R', 'e', 'a', 'd', 'y'};
    private static final byte[] TRUE = {'T', 'r', 'u', 'e'};

    private Conditions() {}

    /** {@return whether the field is a condition {@code Ready} that is true} */
    static boolean ready(ProtoReader reader) throws MalformedException {
        boolean ready = false;
        boolean yes = false;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> ready = reader.is(READY);
                case 2 -> yes = reader.is(TRUE);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        return ready && yes;
    }
}
