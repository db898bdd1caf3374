package dev.holdfast.it.controlplane;

/** A program that a {@link GoModule} pins as a tool. */
public interface GoTool {
    /** {@return the name users know it by, also that of its binary} */
    String label();

    /** {@return the import path of its main package} */
    String goPackage();
}
