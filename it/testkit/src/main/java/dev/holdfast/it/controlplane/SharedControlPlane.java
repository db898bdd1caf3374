package dev.holdfast.it.controlplane;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Gives tests the one {@link ControlPlane} of this JVM as a parameter, and prints the ends of its logs when a test
 * fails. Tests share it: each uses namespaces and nodes of its own names, and who stops a server
 * starts a control plane of its own.
 */
public final class SharedControlPlane implements ParameterResolver, TestWatcher {

    private static boolean asked;
    private static @Nullable ControlPlane started;

    /**
     * {@return the one of this JVM, started by the first who asks and ended with the JVM}
     *
     * @throws ControlPlaneException if it does not start; with the logs for the first who asks
     */
    public static synchronized ControlPlane get() {
        if (!asked) {
            asked = true;
            started = ControlPlane.start();
        }
        if (started == null) {
            throw new ControlPlaneException("the shared control plane did not start: see the first failure");
        }
        return started;
    }

    /** Builds the programs if this is the first time, which takes longer than a test may. */
    public static void buildPrograms() {
        Programs.ofUser();
    }

    private static synchronized @Nullable ControlPlane ifStarted() {
        return started;
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == ControlPlane.class;
    }

    @Override
    public ControlPlane resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return get();
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        ControlPlane controlPlane = ifStarted();
        if (controlPlane != null) {
            System.err.println(context.getDisplayName() + " failed; the logs of the control plane end with\n"
                    + controlPlane.logTails());
        }
    }
}
