package dev.holdfast.operator.offline.dump.text;

/** The type of an object, which stands before its content. */
public record Header(String apiVersion, String kind) {
    private static final String LIST = "List";

    /** The type of an object of which nothing was read. */
    public static final Header UNKNOWN = new Header("", "");

    /** {@return whether version and kind are known} */
    public boolean isComplete() {
        return !apiVersion.isEmpty() && !kind.isEmpty();
    }

    /** {@return whether the object is a list of others} */
    public boolean isList() {
        return kind.endsWith(LIST);
    }

    /** {@return the header of the items of a typed list, which do not name their kind: PodList has Pods} */
    public Header ofItems() {
        return isList() && !kind.equals(LIST)
                ? new Header(apiVersion, kind.substring(0, kind.length() - LIST.length()))
                : UNKNOWN;
    }

    /** {@return version and kind: {@code apps/v1/ReplicaSet}} */
    public String id() {
        return apiVersion + "/" + kind;
    }

    /** {@return the API group; empty for the group of pods} */
    public String group() {
        return apiVersion.substring(0, Math.max(0, apiVersion.indexOf('/')));
    }
}
