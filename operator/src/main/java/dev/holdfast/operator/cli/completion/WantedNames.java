package dev.holdfast.operator.cli.completion;

/**
 * Objects that an argument of a command may name.
 *
 * @param withKind whether the argument begins with the kind: {@code pod/web-1}
 */
record WantedNames(boolean withKind, Kind kind) {
    /** The kinds of objects that command lines name. */
    enum Kind {
        NAMESPACE,
        NODE,
        POD,
        POLICY
    }

    String prefix() {
        return switch (kind) {
            case POD -> withKind ? "pod/" : "";
            case NODE -> withKind ? "node/" : "";
            case NAMESPACE, POLICY -> "";
        };
    }
}
