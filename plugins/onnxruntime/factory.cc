// SPDX-License-Identifier: Apache-2.0
// The entry points that ONNX Runtime looks up, and the factory of execution providers.
#include <atomic>
#include <mutex>
#include <optional>

#include "provider.h"

namespace tesela::ort {
namespace {

class Factory : public OrtEpFactory {
 public:
  explicit Factory(const Runtime& runtime);

  /// Deletes itself after its last provider: sessions may outlive the registration.
  void release() {
    if (--users_ == 0) delete this;
  }

 private:
  void find_devices(const OrtHardwareDevice* const* devices, size_t count, OrtEpDevice** provider_devices,
                    size_t capacity, size_t* found);
  void make_provider(const OrtSessionOptions* session_options, const OrtLogger* logger, OrtEp** provider);

  Runtime runtime_;
  std::atomic<int64_t> users_ = 1;  // the registration, and each provider
};

Factory::Factory(const Runtime& runtime) : OrtEpFactory(), runtime_(runtime) {
  ort_version_supported = kApiVersion;
  GetName = [](const OrtEpFactory*) noexcept -> const char* { return kProviderName; };
  GetVendor = [](const OrtEpFactory*) noexcept -> const char* { return "Tesela"; };
  GetVendorId = [](const OrtEpFactory*) noexcept -> uint32_t { return 0; };
  GetVersion = [](const OrtEpFactory*) noexcept -> const char* { return tesela_version(); };
  GetSupportedDevices = [](OrtEpFactory* self, const OrtHardwareDevice* const* devices, size_t count,
                           OrtEpDevice** provider_devices, size_t capacity, size_t* found) noexcept -> OrtStatus* {
    auto& factory = *static_cast<Factory*>(self);
    return guard(factory.runtime_.api,
                 [&] { factory.find_devices(devices, count, provider_devices, capacity, found); });
  };
  CreateEp = [](OrtEpFactory* self, const OrtHardwareDevice* const*, const OrtKeyValuePairs* const*, size_t,
                const OrtSessionOptions* session_options, const OrtLogger* logger,
                OrtEp** provider) noexcept -> OrtStatus* {
    auto& factory = *static_cast<Factory*>(self);
    return guard(factory.runtime_.api, [&] { factory.make_provider(session_options, logger, provider); });
  };
  ReleaseEp = [](OrtEpFactory* self, OrtEp* provider) noexcept {
    delete static_cast<Provider*>(provider);
    static_cast<Factory*>(self)->release();
  };
  // Tensors are in CPU memory, so allocators, transfers and streams are not needed.
  CreateAllocator = [](OrtEpFactory*, const OrtMemoryInfo*, const OrtKeyValuePairs*,
                       OrtAllocator** allocator) noexcept -> OrtStatus* {
    *allocator = nullptr;
    return nullptr;
  };
  ReleaseAllocator = [](OrtEpFactory*, OrtAllocator*) noexcept {};
  CreateDataTransfer = [](OrtEpFactory*, OrtDataTransferImpl** transfer) noexcept -> OrtStatus* {
    *transfer = nullptr;
    return nullptr;
  };
  IsStreamAware = [](const OrtEpFactory*) noexcept { return false; };
}

void Factory::find_devices(const OrtHardwareDevice* const* devices, size_t count, OrtEpDevice** provider_devices,
                           size_t capacity, size_t* found) {
  *found = 0;
  for (size_t i = 0; i < count && *found < capacity; ++i) {
    if (runtime_.api.HardwareDevice_Type(devices[i]) != OrtHardwareDeviceType_CPU) continue;
    check(runtime_.api, runtime_.ep->CreateEpDevice(this, devices[i], nullptr, nullptr, &provider_devices[*found]));
    ++*found;
    return;
  }
}

void Factory::make_provider(const OrtSessionOptions* session_options, const OrtLogger* logger, OrtEp** provider) {
  *provider = std::make_unique<Provider>(runtime_, logger, read_options(runtime_, session_options)).release();
  ++users_;
}

// Allows one registration at a time: ONNX Runtime cannot create sessions with two devices of the same provider name.
struct Registration {
  std::mutex mutex;
  std::optional<std::string> name;
};
Registration& registration() {
  static Registration only;
  return only;
}

void begin_registration(const char* name) {
  const std::lock_guard lock(registration().mutex);
  std::optional<std::string>& taken = registration().name;
  if (taken)
    fail(ORT_INVALID_ARGUMENT, std::string(kProviderName) + " is registered already, as '" + *taken +
                                   "': use the registered device, or unregister '" + *taken + "' first");
  taken = name != nullptr ? name : "";
}

void end_registration() {
  const std::lock_guard lock(registration().mutex);
  registration().name.reset();
}

}  // namespace
}  // namespace tesela::ort

TESELA_EXPORT OrtStatus* CreateEpFactories(const char* name, const OrtApiBase* base, const OrtLogger*,
                                           OrtEpFactory** factories, size_t capacity, size_t* count) {
  using namespace tesela::ort;
  const OrtApi* const api = base->GetApi(kApiVersion);
  if (api == nullptr) return version_error(*base, "TeselaExecutionProvider needs", kApiVersion);
  return guard(*api, [&] {
    if (capacity < 1)
      fail(ORT_INVALID_ARGUMENT, std::string(kProviderName) + ": the list of factories has no free entry");
    stay_loaded();
    const std::string version = base->GetVersionString();
    auto factory = std::make_unique<Factory>(Runtime{*api, api->GetEpApi(), version.starts_with("1.23.")});
    begin_registration(name);
    factories[0] = factory.release();
    *count = 1;
  });
}

TESELA_EXPORT OrtStatus* ReleaseEpFactory(OrtEpFactory* factory) {
  tesela::ort::end_registration();
  static_cast<tesela::ort::Factory*>(factory)->release();
  return nullptr;
}
