/*
 * Copyright The Phasewise Authors
 * SPDX-License-Identifier: Apache-2.0
 */
package io.phasewise.exporter.instrument;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Puts the call of a {@link CallSite} into a class file. The call at the begin of a method is
 * guarded:
 *
 * <pre>{@code
 * try {
 *     RequestAdvice.completed(this.context, this.bodyAndSize, ...);
 * } catch (Throwable surprise) {
 *     Hooks.failed(surprise, "request_timing");
 * }
 * }</pre>
 *
 * <p>Where the call site has a condition, the call is in an {@code if}, in the same block.
 *
 * <p>What is called is found by name when the method first runs, and whatever fails then ends up in
 * that block as well.
 */
final class CallInserter extends ClassVisitor {

    private static final String HOOKS = Type.getInternalName(Hooks.class);
    private static final String THROWABLE = "java/lang/Throwable";

    private final CallSite site;
    private final ClassShape.Reached reached;
    private final String hook;
    private int calls;

    private CallInserter(CallSite site, ClassShape.Reached reached, String hook, ClassWriter writer) {
        super(Opcodes.ASM9, writer);
        this.site = site;
        this.reached = reached;
        this.hook = hook;
    }

    /**
     * The class with the call in it.
     *
     * @param reached how what is passed is reached in this class
     * @param hook whose call it is
     * @param classFile whose shape was checked
     * @throws UnknownShapeException when the method has no place for the call
     */
    static byte[] insert(CallSite site, ClassShape.Reached reached, String hook, byte[] classFile)
            throws UnknownShapeException {
        ClassReader reader = new ClassReader(classFile);
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        CallInserter inserter = new CallInserter(site, reached, hook, writer);
        reader.accept(inserter, 0);
        if (site.resultOf != null && inserter.calls != 1) {
            throw new UnknownShapeException(site + " calls " + site.resultOf + " " + inserter.calls + " times");
        }
        return writer.toByteArray();
    }

    @Override
    public MethodVisitor visitMethod(
            int modifiers, String name, String descriptor, String signature, String[] exceptions) {
        MethodVisitor method = super.visitMethod(modifiers, name, descriptor, signature, exceptions);
        return site.isIn(modifiers, name, descriptor) ? new Calls(method, descriptor) : method;
    }

    private final class Calls extends MethodVisitor {
        private final String descriptor;

        Calls(MethodVisitor method, String descriptor) {
            super(Opcodes.ASM9, method);
            this.descriptor = descriptor;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (site.resultOf == null) {
                guarded();
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                reached.atReturn.forEach(this::callAtReturn);
            }
            super.visitInsn(opcode);
        }

        private void callAtReturn(String advice, ClassShape.Way way) {
            if (way == null) {
                call(advice, "()V");
            } else {
                if (way.argument == CallSite.RESULT) {
                    super.visitInsn(Opcodes.DUP);
                } else {
                    visitVarInsn(Opcodes.ALOAD, 0);
                }
                follow(way);
                call(advice, "(" + way.value.descriptor + ")V");
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String called, boolean isInterface) {
            super.visitMethodInsn(opcode, owner, name, called, isInterface);
            if (name.equals(site.resultOf) && called.endsWith(")" + site.result)) {
                call(site.calleeMethod, "(" + site.result + ")" + site.result);
            }
        }

        private void call(String name, String parameters) {
            calls++;
            super.visitMethodInsn(Opcodes.INVOKESTATIC, site.calleeName(), name, parameters, false);
        }

        private void follow(ClassShape.Way way) {
            for (ClassShape.Step step : way.steps) {
                if (step.isMethod()) {
                    super.visitMethodInsn(
                            step.isInterface ? Opcodes.INVOKEINTERFACE : Opcodes.INVOKEVIRTUAL,
                            step.owner,
                            step.name,
                            step.descriptor,
                            step.isInterface);
                } else {
                    visitFieldInsn(Opcodes.GETFIELD, step.owner, step.name, step.descriptor);
                }
            }
        }

        private void guarded() {
            Label begin = new Label();
            Label end = new Label();
            Label surprise = new Label();
            Label after = new Label();
            visitTryCatchBlock(begin, end, surprise, THROWABLE);
            visitLabel(begin);
            if (site.condition != null) {
                call(site.condition, "(" + push(site.conditionValues) + ")Z");
                visitJumpInsn(Opcodes.IFEQ, after);
            }
            call(site.calleeMethod, "(" + push(reached.values.size()) + ")V");
            visitLabel(end);
            visitJumpInsn(Opcodes.GOTO, after);
            visitLabel(surprise);
            // Nothing is in a local variable yet but the arguments.
            visitFrame(Opcodes.F_SAME1, 0, null, 1, new Object[] {THROWABLE});
            visitLdcInsn(hook);
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC, HOOKS, "failed", "(L" + THROWABLE + ";Ljava/lang/String;)V", false);
            visitLabel(after);
            visitFrame(Opcodes.F_SAME, 0, null, 0, null);
            // Kafka's first instruction may have a frame of its own: no two at one place.
            visitInsn(Opcodes.NOP);
        }

        /** Puts the first values on the stack; their descriptors. */
        private String push(int count) {
            StringBuilder parameters = new StringBuilder();
            Type[] arguments = Type.getArgumentTypes(descriptor);
            for (ClassShape.Way way : reached.values.subList(0, count)) {
                if (way.isMissing) {
                    visitLdcInsn(way.value.otherwise);
                } else {
                    push(way.argument, arguments);
                    follow(way);
                }
                parameters.append(way.value.descriptor);
            }
            return parameters.toString();
        }

        private void push(int number, Type[] arguments) {
            if (number == CallSite.THIS) {
                visitVarInsn(Opcodes.ALOAD, 0);
                return;
            }
            int slot = 1;
            for (int i = 0; i < number; i++) {
                slot += arguments[i].getSize();
            }
            visitVarInsn(arguments[number].getOpcode(Opcodes.ILOAD), slot);
        }
    }
}
