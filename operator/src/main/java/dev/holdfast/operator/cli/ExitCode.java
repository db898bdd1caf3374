package dev.holdfast.operator.cli;

/** What the process says to its caller when it ends. */
public final class ExitCode {
    /** All is well. */
    public static final int OK = 0;

    /** The command line or the configuration cannot be used. */
    public static final int USAGE = 2;

    /** The command could not run: no cluster to be reached by this kubeconfig, or not one with what is needed. */
    public static final int COULD_NOT_RUN = 3;

    private ExitCode() {}
}
