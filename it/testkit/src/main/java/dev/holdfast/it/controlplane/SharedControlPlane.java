package dev.holdfast.it.controlplane;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * A JUnit extension that injects the one {@link ControlPlane} of this JVM, and prints the ends of its logs when a test
 * fails. Tests share it: each uses its own names for namespaces and nodes. A test that stops a server starts its own
 * control plane.
 */
public final class SharedControlPlane implements ParameterResolver, TestWatcher {

    private static boolean attempted;
    private static @Nullable ControlPlane started;

    /**
     * {@return the control plane of this JVM; the first caller starts it, and it ends with the JVM}
     *
     * @throws ControlPlaneException if it does not start; the first caller gets the logs
     */
    public static synchronized ControlPlane get() {
        if (!attempted) {
            attempted = true;
            started = ControlPlane.start();
        }
        if (started == null) {
            throw new ControlPlaneException("the shared control plane did not start: see the first failure");
        }
        return started;
    }

    /** Builds the programs if they are not in the cache. That takes longer than the time limit of a test. */
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
