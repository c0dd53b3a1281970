/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
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

    private static final int MEMBERS_ONLY = ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES;

    private final CallSite site;
    private final List<Step> members = new ArrayList<>();
    private String name;
    private boolean isInterface;
    private int methods;

    /** Of the method that matches, when it is one. */
    private String descriptor;

    private ClassShape(byte[] classFile, CallSite site) {
        super(Opcodes.ASM9);
        this.site = site;
        new ClassReader(classFile).accept(this, MEMBERS_ONLY);
    }

    /** How the values that a call site passes are reached. */
    static final class Reached {
        final List<Way> values = new ArrayList<>();

        /** By the method that is called; null where nothing is passed. */
        final Map<String, Way> atReturn = new LinkedHashMap<>();
    }

    /** The steps from what is at hand in the method to what is passed. */
    static final class Way {
        final CallSite.Value value;

        /**
         * Number of the argument it begins at, from 0; {@link CallSite#THIS} for the object, {@link
         * CallSite#RESULT} for the result.
         */
        final int argument;

        final List<Step> steps = new ArrayList<>();

        /** Whether the class has no such way, and {@link CallSite.Value#otherwise} is passed. */
        boolean isMissing;

        private Way(CallSite.Value value, int argument) {
            this.value = value;
            this.argument = argument;
        }
    }

    /** A field that is read, or a method without parameters that is called. */
    static final class Step {
        final String owner;
        final boolean isInterface;
        final int access;
        final String name;
        final String descriptor;

        private Step(ClassShape owner, int access, String name, String descriptor) {
            this.owner = owner.name;
            this.isInterface = owner.isInterface;
            this.access = access;
            this.name = name;
            this.descriptor = descriptor;
        }

        boolean isMethod() {
            return descriptor.startsWith("(");
        }

        Type result() {
            return isMethod() ? Type.getReturnType(descriptor) : Type.getType(descriptor);
        }
    }

    /**
     * Whether this is the class that a call site is for, and not one of helpers with its name.
     */
    static boolean isMeant(CallSite site, byte[] classFile) {
        return !site.withState
                || new ClassShape(classFile, site)
                        .members.stream().anyMatch(each -> !each.isMethod() && (each.access & Opcodes.ACC_STATIC) == 0);
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
            throw new UnknownShapeException(site.type + " has " + shape.methods + " methods like " + site);
        }
        Reached reached = new Reached();
        for (CallSite.Value value : site.values) {
            int argument = value.argument == CallSite.FIRST ? shape.first(value.descriptor) : value.argument;
            reached.values.add(shape.wayOrOther(value, argument, loader));
        }
        Type result = Type.getReturnType(shape.descriptor);
        for (Map.Entry<String, CallSite.Value> call : site.atReturn.entrySet()) {
            CallSite.Value value = call.getValue();
            reached.atReturn.put(call.getKey(), value == null ? null : shape.wayAtReturn(value, result, loader));
        }
        return reached;
    }

    private Way wayOrOther(CallSite.Value value, int argument, ClassLoader loader)
            throws UnknownShapeException, IOException {
        try {
            return way(value, argument, origin(argument), loader);
        } catch (UnknownShapeException e) {
            if (value.otherwise == null) {
                throw e;
            }
            Way missing = new Way(value, argument);
            missing.isMissing = true;
            return missing;
        }
    }

    private Way wayAtReturn(CallSite.Value value, Type result, ClassLoader loader)
            throws UnknownShapeException, IOException {
        return way(value, value.argument, value.argument == CallSite.RESULT ? result : origin(value.argument), loader);
    }

    private int first(String wanted) throws UnknownShapeException {
        Type[] all = Type.getArgumentTypes(descriptor);
        for (int i = 0; i < all.length; i++) {
            if (all[i].getDescriptor().equals(wanted)) {
                return i;
            }
        }
        throw new UnknownShapeException(site + " has no argument of " + wanted);
    }

    private Type origin(int argument) throws UnknownShapeException {
        if (argument == CallSite.THIS) {
            return Type.getObjectType(name);
        }
        Type[] all = Type.getArgumentTypes(descriptor);
        if (argument >= all.length) {
            throw new UnknownShapeException(site + " has no argument " + argument);
        }
        return all[argument];
    }

    /** Follows a way through the class files, so that no class of Kafka's need be loaded. */
    private Way way(CallSite.Value value, int argument, Type from, ClassLoader loader)
            throws UnknownShapeException, IOException {
        Way way = new Way(value, argument);
        Type at = from;
        for (String next : value.path) {
            if (at.getSort() != Type.OBJECT) {
                throw new UnknownShapeException(site + ": " + next + " of a " + at.getClassName());
            }
            boolean isLast = way.steps.size() == value.path.size() - 1;
            Step step = step(at, next, isLast ? value.descriptor : CallSite.ANY, loader);
            way.steps.add(step);
            at = step.result();
        }
        if (!fits(at, value.descriptor)) {
            throw new UnknownShapeException(site + " is given " + at.getClassName() + ", not " + value.descriptor);
        }
        return way;
    }

    private static boolean fits(Type type, String descriptor) {
        return descriptor.equals(type.getDescriptor())
                || descriptor.equals(CallSite.ANY) && type.getSort() == Type.OBJECT;
    }

    private Step step(Type owner, String wanted, String ofType, ClassLoader loader)
            throws UnknownShapeException, IOException {
        boolean isOwn = owner.getInternalName().equals(name);
        ClassShape shape = isOwn ? this : new ClassShape(read(owner, loader), site);
        int access = isOwn ? 0 : Opcodes.ACC_PUBLIC;
        for (Step member : shape.members) {
            if (wanted.equals(member.isMethod() ? member.name + "()" : member.name)
                    && fits(member.result(), ofType)
                    && (member.access & (Opcodes.ACC_STATIC | access)) == access) {
                return member;
            }
        }
        throw new UnknownShapeException(owner.getClassName() + " has no " + wanted + " of " + ofType);
    }

    private static byte[] read(Type type, ClassLoader loader) throws UnknownShapeException, IOException {
        try (InputStream file = loader.getResourceAsStream(type.getInternalName() + ".class")) {
            if (file == null) {
                throw new UnknownShapeException("there is no class " + type.getClassName());
            }
            return file.readAllBytes();
        }
    }

    @Override
    public void visit(
            int version, int access, String itsName, String signature, String superName, String[] interfaces) {
        name = itsName;
        isInterface = (access & Opcodes.ACC_INTERFACE) != 0;
    }

    @Override
    public FieldVisitor visitField(int access, String field, String itsDescriptor, String signature, Object value) {
        members.add(new Step(this, access, field, itsDescriptor));
        return null;
    }

    @Override
    public MethodVisitor visitMethod(
            int access, String method, String itsDescriptor, String signature, String[] thrown) {
        if (itsDescriptor.startsWith("()")) {
            members.add(new Step(this, access, method, itsDescriptor));
        }
        if (site.isIn(access, method, itsDescriptor)) {
            methods++;
            descriptor = itsDescriptor;
        }
        return null;
    }
}
