/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * What a class file declares, held against what a hook needs; no class is loaded for it.
 *
 * <p>Private members of the class itself can be passed; of other classes only what is public.
 */
final class ClassShape extends ClassVisitor {

    private static final int MEMBERS_ONLY =
            ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES;

    private final Map<String, Integer> modifiers = new HashMap<>();
    private final CallSite site;
    private int methods;

    /** Of the method that matches, when it is one. */
    private String descriptor;

    private boolean isInterface;

    private ClassShape(byte[] classFile, CallSite site) {
        super(Opcodes.ASM9);
        this.site = site;
        new ClassReader(classFile).accept(this, MEMBERS_ONLY);
    }

    /**
     * Compares a class, and those that the call uses, with what a call site needs.
     *
     * @param loader finds the class files of other classes
     * @return how what is passed is reached; null when there is nothing to do in this class
     * @throws UnknownShapeException when anything is missing or different, naming it
     * @throws IOException when a class file cannot be read
     */
    static Reached check(CallSite site, byte[] classFile, ClassLoader loader)
            throws UnknownShapeException, IOException {
        ClassShape shape = new ClassShape(classFile, site);
        if (site.optional && shape.methods == 0) {
            return null;
        }
        if (shape.methods != 1) {
            throw new UnknownShapeException(
                    site.type + " has " + shape.methods + " methods like " + site);
        }
        Map<String, ClassShape> known = new HashMap<>();
        known.put(site.internalName(), shape);
        List<Way> ways = new ArrayList<>();
        for (CallSite.Value value : site.values) {
            Type from =
                    value.argument == CallSite.THIS
                            ? Type.getObjectType(site.internalName())
                            : argument(shape.descriptor, value.argument, site);
            ways.add(way(value, from, known, site, loader));
        }
        Type result = Type.getReturnType(shape.descriptor);
        Map<String, Way> atReturn = new LinkedHashMap<>();
        for (Map.Entry<String, CallSite.Value> call : site.atReturn.entrySet()) {
            CallSite.Value value = call.getValue();
            atReturn.put(
                    call.getKey(), value == null ? null : way(value, result, known, site, loader));
        }
        return new Reached(ways, atReturn);
    }

    private static Type argument(String descriptor, int number, CallSite site)
            throws UnknownShapeException {
        Type[] all = Type.getArgumentTypes(descriptor);
        if (number >= all.length) {
            throw new UnknownShapeException(site + " has no argument " + number);
        }
        return all[number];
    }

    /** Follows a way through the class files, so that no class of Kafka's need be loaded. */
    private static Way way(
            CallSite.Value value,
            Type from,
            Map<String, ClassShape> known,
            CallSite site,
            ClassLoader loader)
            throws UnknownShapeException, IOException {
        List<Step> steps = new ArrayList<>();
        Type at = from;
        for (int i = 0; i < value.path.size(); i++) {
            String name = value.path.get(i);
            if (at.getSort() != Type.OBJECT) {
                throw new UnknownShapeException(site + ": " + name + " of a " + at.getClassName());
            }
            ClassShape owner = of(at.getInternalName(), known, site, loader);
            boolean own = at.getInternalName().equals(site.internalName());
            String wanted = i == value.path.size() - 1 ? value.descriptor : CallSite.ANY;
            Step step = owner.step(at, name, own ? 0 : Opcodes.ACC_PUBLIC, wanted);
            steps.add(step);
            at = step.result();
        }
        if (!fits(at, value.descriptor)) {
            throw new UnknownShapeException(
                    site + " is given " + at.getClassName() + ", not " + value.descriptor);
        }
        return new Way(value, steps);
    }

    private static boolean fits(Type type, String descriptor) {
        return descriptor.equals(type.getDescriptor())
                || descriptor.equals(CallSite.ANY) && type.getSort() == Type.OBJECT;
    }

    private static ClassShape of(
            String name, Map<String, ClassShape> known, CallSite site, ClassLoader loader)
            throws UnknownShapeException, IOException {
        ClassShape shape = known.get(name);
        if (shape == null) {
            shape = new ClassShape(read(name, loader), site);
            known.put(name, shape);
        }
        return shape;
    }

    private Step step(Type owner, String name, int access, String wanted)
            throws UnknownShapeException {
        boolean method = name.endsWith("()");
        String start = (method ? name.substring(0, name.length() - 2) : name) + " ";
        for (Map.Entry<String, Integer> member : modifiers.entrySet()) {
            String found = member.getKey().substring(member.getKey().indexOf(' ') + 1);
            Type result =
                    found.startsWith("()") || !method && !found.startsWith("(")
                            ? Type.getType(method ? found.substring(2) : found)
                            : null;
            if (member.getKey().startsWith(start)
                    && result != null
                    && method == found.startsWith("(")
                    && fits(result, wanted)
                    && (member.getValue() & (Opcodes.ACC_STATIC | access)) == access) {
                return new Step(owner.getInternalName(), start.trim(), found, isInterface);
            }
        }
        throw new UnknownShapeException(owner.getClassName() + " has no " + name + " of " + wanted);
    }

    /** How the values that a call site passes are reached. */
    static final class Reached {
        final List<Way> values;
        final Map<String, Way> atReturn;

        private Reached(List<Way> values, Map<String, Way> atReturn) {
            this.values = values;
            this.atReturn = atReturn;
        }
    }

    /** The steps from what is at hand in the method to what is passed. */
    static final class Way {
        final CallSite.Value value;
        final List<Step> steps;

        private Way(CallSite.Value value, List<Step> steps) {
            this.value = value;
            this.steps = steps;
        }
    }

    /** A field that is read, or a method without parameters that is called. */
    static final class Step {
        final String owner;
        final String name;
        final String descriptor;
        final boolean isInterface;

        private Step(String owner, String name, String descriptor, boolean isInterface) {
            this.owner = owner;
            this.name = name;
            this.descriptor = descriptor;
            this.isInterface = isInterface;
        }

        boolean isMethod() {
            return descriptor.startsWith("(");
        }

        Type result() {
            return isMethod() ? Type.getReturnType(descriptor) : Type.getType(descriptor);
        }
    }

    private static byte[] read(String type, ClassLoader loader)
            throws UnknownShapeException, IOException {
        try (InputStream file = loader.getResourceAsStream(type + ".class")) {
            if (file == null) {
                throw new UnknownShapeException("there is no class " + type.replace('/', '.'));
            }
            return file.readAllBytes();
        }
    }

    @Override
    public void visit(
            int version,
            int access,
            String name,
            String signature,
            String superName,
            String[] interfaces) {
        isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
    }

    @Override
    public FieldVisitor visitField(
            int access, String name, String descriptor, String signature, Object value) {
        modifiers.put(name + " " + descriptor, access);
        return null;
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String name, String itsDescriptor, String signature, String[] exceptions) {
        modifiers.put(name + " " + itsDescriptor, access);
        if (site.isIn(access, name, itsDescriptor)) {
            methods++;
            descriptor = itsDescriptor;
        }
        return null;
    }
}
