//! Small policies over numpy arrays; `diorama.learn.native` presents them to torch.

use learn::sample::DrawKey;
use numpy::{PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2};
use policy::acting::{ActInput, ActOutput, SamplingParams};
use policy::activation::Activation;
use policy::entities::EntityShape;
use policy::input::{Input, Observation, Scaling};
use policy::learning::{Gradients, SequenceBatch};
use policy::network::{Network, Shape};
use policy::processor::has_fused_multiply_add;
use policy::tape::Tape;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::learn::{HeadKernel, not_contiguous, table, table_mut};

/// Adds these to the compiled module.
pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("has_fused_multiply_add", has_fused_multiply_add())?;
    module.add_class::<PolicyKernel>()?;
    module.add_class::<PolicyTape>()
}

/// Activations and gradients of a policy.
#[pyclass(module = "diorama._native")]
#[derive(Default)]
pub struct PolicyTape {
    tape: Tape,
    gradients: Gradients,
}

#[pymethods]
impl PolicyTape {
    #[new]
    fn new() -> Self {
        Self::default()
    }
}

/// A policy's layers.
#[pyclass(module = "diorama._native")]
pub struct PolicyKernel {
    network: Network,
}

type Vector<'py> = PyReadonlyArray1<'py, f32>;
type Matrix<'py> = PyReadonlyArray2<'py, f32>;
type VectorOut<'py> = PyReadwriteArray1<'py, f32>;
type MatrixOut<'py> = PyReadwriteArray2<'py, f32>;

#[pymethods]
impl PolicyKernel {
    #[new]
    #[pyo3(signature = (*, obs, bytes, entities, encoder, activation, has_memory, options, critic, critic_sees_input, values))]
    #[expect(clippy::too_many_arguments, reason = "each is named where it is given")]
    fn new(
        obs: usize,
        bytes: (Vec<f32>, Vec<f32>),
        entities: Vec<(usize, usize, usize, usize, Option<usize>)>,
        encoder: Vec<usize>,
        activation: &str,
        has_memory: bool,
        options: usize,
        critic: Vec<(usize, String)>,
        critic_sees_input: bool,
        values: usize,
    ) -> PyResult<Self> {
        let (byte_low, byte_scale) = bytes;
        let input = Input { obs, byte_low, byte_scale, scaling: None };
        let named = |name: &str| Activation::named(name).map_err(PyValueError::new_err);
        let critic = critic.into_iter().map(|(width, name)| Ok((width, named(&name)?))).collect::<PyResult<_>>()?;
        let activation = named(activation)?;
        let table =
            |(first, count, features, width, first_option)| EntityShape { first, count, features, width, first_option };
        let entities = entities.into_iter().map(table).collect();
        let shape = Shape { entities, encoder, activation, has_memory, options, critic, critic_sees_input, values };
        Ok(Self { network: Network::new(input, &shape).map_err(PyValueError::new_err)? })
    }

    #[pyo3(signature = (weights, *, scaling, value_unit, with_backward))]
    fn load(
        &mut self,
        weights: Vec<(Matrix<'_>, Vector<'_>)>,
        scaling: Option<(Vector<'_>, Vector<'_>, Vector<'_>)>,
        value_unit: f32,
        with_backward: bool,
    ) -> PyResult<()> {
        let network = &mut self.network;
        let layers = network.layers().count();
        if weights.len() != layers {
            return Err(PyValueError::new_err(format!("weights of {} layers; {layers} are needed", weights.len())));
        }
        for (layer, (matrix, bias)) in network.layers_mut().zip(&weights) {
            let (matrix, bias) = (table("weights", matrix)?, vector("bias", bias)?);
            layer.load(matrix, bias, with_backward).map_err(PyValueError::new_err)?;
        }
        network.value_unit = value_unit;
        network.input.scaling = scaling.map(|scaling| scaling_of(&scaling, network.input.obs)).transpose()?;
        Ok(())
    }

    #[pyo3(signature = (tape, heads, obs, obs_u8, starts, memory, masks, key, actions, log_probs, values))]
    #[expect(clippy::too_many_arguments, reason = "every array is a buffer of the caller's")]
    fn act(
        &self,
        py: Python<'_>,
        tape: &mut PolicyTape,
        heads: &HeadKernel,
        obs: Matrix<'_>,
        obs_u8: PyReadonlyArray2<'_, u8>,
        starts: PyReadonlyArray1<'_, u8>,
        mut memory: Option<MatrixOut<'_>>,
        masks: Option<PyReadonlyArray2<'_, u8>>,
        key: Option<(u64, u64, u64, u64, u64)>,
        mut actions: PyReadwriteArray2<'_, i32>,
        mut log_probs: MatrixOut<'_>,
        mut values: VectorOut<'_>,
    ) -> PyResult<usize> {
        let input = act_input(&obs, &obs_u8, &starts)?;
        let params = SamplingParams {
            heads: &heads.heads,
            masks: masks.as_ref().map(|masks| table("masks", masks)).transpose()?,
            key: key.map(|(seed, update, step, row, head)| DrawKey { seed, update, step, row, head }),
        };
        let output = ActOutput {
            actions: table_mut("actions", &mut actions)?,
            log_probs: table_mut("log_probs", &mut log_probs)?,
            values: vector_mut("values", &mut values)?,
            memory: match &mut memory {
                Some(memory) => table_mut("memory", memory)?,
                None => &mut [],
            },
        };
        py.detach(|| self.network.act(input, params, output, &mut tape.tape)).map_err(PyValueError::new_err)
    }

    #[pyo3(signature = (tape, obs, obs_u8, starts, memory, values))]
    #[expect(clippy::too_many_arguments, reason = "every array is a buffer of the caller's")]
    fn values(
        &self,
        py: Python<'_>,
        tape: &mut PolicyTape,
        obs: Matrix<'_>,
        obs_u8: PyReadonlyArray2<'_, u8>,
        starts: PyReadonlyArray1<'_, u8>,
        memory: Option<Matrix<'_>>,
        mut values: VectorOut<'_>,
    ) -> PyResult<()> {
        let input = act_input(&obs, &obs_u8, &starts)?;
        let memory = hidden_state(&memory)?;
        let values = vector_mut("values", &mut values)?;
        py.detach(|| self.network.values(input, memory, values, &mut tape.tape)).map_err(PyValueError::new_err)
    }

    #[pyo3(signature = (tape, obs, obs_u8, starts, memory, logits, values))]
    #[expect(clippy::too_many_arguments, reason = "every array is a buffer of the caller's")]
    fn forward(
        &self,
        py: Python<'_>,
        tape: &mut PolicyTape,
        obs: Matrix<'_>,
        obs_u8: PyReadonlyArray2<'_, u8>,
        starts: PyReadonlyArray2<'_, u8>,
        memory: Option<Matrix<'_>>,
        mut logits: MatrixOut<'_>,
        mut values: VectorOut<'_>,
    ) -> PyResult<()> {
        let batch = sequence_batch(&obs, &obs_u8, &starts, &memory)?;
        let (logits, values) = (table_mut("logits", &mut logits)?, vector_mut("values", &mut values)?);
        py.detach(|| self.network.forward(&batch, &mut tape.tape, logits, values)).map_err(PyValueError::new_err)
    }

    #[pyo3(signature = (tape, obs, obs_u8, starts, memory, of_logits, of_values, gradients))]
    #[expect(clippy::too_many_arguments, reason = "every array is a buffer of the caller's")]
    fn backward(
        &self,
        py: Python<'_>,
        tape: &mut PolicyTape,
        obs: Matrix<'_>,
        obs_u8: PyReadonlyArray2<'_, u8>,
        starts: PyReadonlyArray2<'_, u8>,
        memory: Option<Matrix<'_>>,
        of_logits: Matrix<'_>,
        of_values: Vector<'_>,
        mut gradients: Vec<(VectorOut<'_>, VectorOut<'_>)>,
    ) -> PyResult<()> {
        let batch = sequence_batch(&obs, &obs_u8, &starts, &memory)?;
        let (of_logits, of_values) = (table("of_logits", &of_logits)?, vector("of_values", &of_values)?);
        let mut arrays = Vec::with_capacity(gradients.len());
        for (weights, bias) in &mut gradients {
            arrays.push((vector_mut("gradients", weights)?, vector_mut("gradients", bias)?));
        }
        let PolicyTape { tape, gradients: sums } = tape;
        py.detach(|| {
            self.network.backward(&batch, tape, of_logits, of_values, sums)?;
            sums.write(&mut arrays)
        })
        .map_err(PyValueError::new_err)
    }
}

fn act_input<'a>(
    obs: &'a Matrix<'_>,
    obs_u8: &'a PyReadonlyArray2<'_, u8>,
    starts: &'a PyReadonlyArray1<'_, u8>,
) -> PyResult<ActInput<'a>> {
    let starts = starts.as_slice().map_err(|_| not_contiguous("starts"))?;
    Ok(ActInput { observation: Observation { obs: table("obs", obs)?, bytes: table("obs_u8", obs_u8)? }, starts })
}

fn sequence_batch<'a>(
    obs: &'a Matrix<'_>,
    obs_u8: &'a PyReadonlyArray2<'_, u8>,
    starts: &'a PyReadonlyArray2<'_, u8>,
    memory: &'a Option<Matrix<'_>>,
) -> PyResult<SequenceBatch<'a>> {
    Ok(SequenceBatch {
        observation: Observation { obs: table("obs", obs)?, bytes: table("obs_u8", obs_u8)? },
        starts: table("starts", starts)?,
        memory: hidden_state(memory)?,
        sequences: starts.as_array().ncols(),
    })
}

fn hidden_state<'a>(memory: &'a Option<Matrix<'_>>) -> PyResult<&'a [f32]> {
    memory.as_ref().map_or(Ok(&[]), |memory| table("memory", memory))
}

fn scaling_of(scaling: &(Vector<'_>, Vector<'_>, Vector<'_>), width: usize) -> PyResult<Scaling> {
    let (shift, scale, limit) = scaling;
    let copied = |name: &str, array: &Vector<'_>| match vector(name, array)? {
        numbers if numbers.len() == width => Ok(numbers.to_vec()),
        numbers => Err(PyValueError::new_err(format!("{name} has {} entries; {width} are needed", numbers.len()))),
    };
    Ok(Scaling { shift: copied("shift", shift)?, scale: copied("scale", scale)?, limit: copied("limit", limit)? })
}

fn vector<'a>(name: &str, array: &'a Vector<'_>) -> PyResult<&'a [f32]> {
    array.as_slice().map_err(|_| not_contiguous(name))
}

fn vector_mut<'a>(name: &str, array: &'a mut VectorOut<'_>) -> PyResult<&'a mut [f32]> {
    array.as_slice_mut().map_err(|_| not_contiguous(name))
}
